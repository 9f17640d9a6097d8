/** What lessons read from runs. */
import { capitalized, listed } from '@hustings/base';
import { nameOf } from '@hustings/study/internal/kernel/law-text';
import type { Measure } from '@hustings/study/kernel';
import { countersOf } from '../run/counters.ts';
import { RunModel } from '../run/run-model.ts';
import type { ShownNode } from '../run/run-snapshot.ts';
import { nodeName } from '../run/step-effect.ts';
import { algorithmOf, type LabSetup, optionsOf } from '../setup/lab-setup.ts';
import type { LessonNumber } from './lesson.ts';

/** A run of a setup at its end. */
export function finished(setup: LabSetup): RunModel {
  const model = RunModel.of(algorithmOf(setup), optionsOf(setup));
  model.seek(model.length);
  return model;
}

/** A count at the cursor. Times are known at the end of a recorded run only. */
export function countOf(model: RunModel, measure: Measure): number {
  const counter = countersOf(model).find(({ name }) => name === nameOf(measure));
  if (counter?.count == null) throw new RangeError(`the run has no ${nameOf(measure)} at its cursor`);
  return counter.count;
}

/** The value of the first law of a kind that applies to the run. */
export function lawOf(model: RunModel, measure: Measure, kind: 'bound' | 'exact' | 'mean'): number {
  const laws = countersOf(model).find(({ name }) => name === nameOf(measure))?.laws ?? [];
  const law = laws.find((each) => each.kind === kind && each.value !== null);
  if (law?.value == null) throw new RangeError(`the run has no ${kind} of ${nameOf(measure)}`);
  return law.value;
}

/** The election messages of the whole branch, wherever the cursor is. */
export function totalMessages(model: RunModel): number {
  const { firstUpkeep, types } = model.world.machine.codec;
  const sent = model.trace().sentBefore(model.length);
  return types.slice(0, firstUpkeep).reduce((total, type) => total + sent[type], 0);
}

export function sentNumber(model: RunModel): LessonNumber {
  const value = countOf(model, 'election');
  return { value, text: value === 1 ? 'message' : 'messages' };
}

/** The nodes that lead at the cursor and have not crashed. */
export function leaders(model: RunModel): ShownNode[] {
  return model.snapshot().nodes.filter(({ isDead, role }) => role === 'leader' && !isDead);
}

export function leaderNumber(model: RunModel): LessonNumber {
  const { length } = leaders(model);
  return { value: length, text: length === 1 ? 'leader' : 'leaders' };
}

/** 'id 3 and id 5'. */
export function namesOf(model: RunModel, nodes: readonly { readonly position: number }[]): string {
  return listed(nodes.map(({ position }) => nodeName(model.world, position)));
}

/** 'Id 3 leads.', 'Id 3 and id 5 lead.', 'No node leads.' */
export function leaderText(model: RunModel): string {
  const found = leaders(model);
  if (found.length === 0) return 'No node leads.';
  return `${capitalized(namesOf(model, found))} ${found.length === 1 ? 'leads' : 'lead'}.`;
}

/** The number of different states of the nodes after the last whole round before the cursor, for runs in lockstep. */
export function differentStates(model: RunModel, position = model.position): number {
  let end = position;
  while (end > 0 && end < model.length && model.timeAt(end + 1) === model.timeAt(end)) end--;
  const trace = model.trace();
  const states = new Map<number, string>();
  for (const event of trace.events('units').slice(0, trace.eventsBefore(end))) {
    if (event.type === 'state') states.set(event.node, JSON.stringify(event.state));
  }
  return new Set(states.values()).size;
}
