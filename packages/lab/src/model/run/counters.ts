/** The counts of a run at its cursor, beside the laws that they must obey. */

import { isFaultStep } from '@hustings/study/driver';
import { formulaOf, nameOf } from '@hustings/study/internal/kernel/law-text';
import { type Law, type Measure, obeys, type RunFacts } from '@hustings/study/kernel';
import type { RunModel } from './run-model.ts';

/**
 * holds: a bound that is kept so far, or an exact value at the end. open: an exact value before the end, or a mean. inapplicable: the
 * condition of the law does not hold in this run.
 */
export type LawState = 'holds' | 'fails' | 'open' | 'inapplicable';

/** A law beside a count. */
export interface CountedLaw {
  readonly kind: Law['kind'];
  /** '≤ n(n+1)/2'. */
  readonly formula: string;
  /** The condition of the law, for people; null without one. */
  readonly when: string | null;
  /** The value for this run; null if the law does not apply to it. */
  readonly value: number | null;
  readonly state: LawState;
}

/** A count of a run at its cursor. */
export interface Counter {
  /** 'election messages'. */
  readonly name: string;
  /** Null where the figure is known only at the end of the recorded run. */
  readonly count: number | null;
  readonly laws: readonly CountedLaw[];
}

/** All counts at the cursor, with the laws of the algorithm. */
export function countersOf(model: RunModel): Counter[] {
  const { algorithm } = model;
  const facts = factsOf(model);
  const isEnd = model.snapshot().isOver || (model.branch.parent === null && model.position === model.length);
  const measures = new Map<string, Measure>();
  const always: Measure[] = ['election', ...presentKinds(model)];
  for (const measure of [...always, ...algorithm.laws.map((law: Law) => law.measure)]) {
    if (measure !== 'errorRate') measures.set(nameOf(measure), measure);
  }
  const counted = [...measures].map(([name, measure]): Counter => {
    const count = figureOf(model, measure);
    const laws = algorithm.laws
      .filter((law: Law) => nameOf(law.measure) === name)
      .map((law: Law) => countedLaw(law, facts, count, isEnd));
    return { name, count, laws };
  });
  // No law is about bits, but messages of different sizes cost differently.
  const bits: Counter = { name: 'bits', count: model.trace().bitsBefore(model.position), laws: [] };
  return [...counted.slice(0, always.length), bits, ...counted.slice(always.length)];
}

function presentKinds({ world }: RunModel): Measure[] {
  const { firstAnnouncement, firstUpkeep, types } = world.machine.codec;
  return [
    ...(firstUpkeep < firstAnnouncement ? (['upkeep'] as const) : []),
    ...(firstAnnouncement < types.length ? (['announcement'] as const) : []),
  ];
}

const known = new WeakMap<RunModel, RunFacts>();

/** The facts of the recorded run. Some are computed on first use, so they are kept. */
export function recordedFacts(model: RunModel): RunFacts {
  const facts = known.get(model) ?? model.run.facts();
  known.set(model, facts);
  return facts;
}

/** On a branch of the reader, every law is judged by what the reader did. */
function factsOf(model: RunModel): RunFacts {
  const { branch, world } = model;
  const facts = recordedFacts(model);
  if (branch.parent === null) return facts;
  const isFaulty = branch.cuts.length > 0 || branch.path.some(({ step }) => isFaultStep(step));
  // A copy by hand: the diameter is computed on first use.
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(facts),
      lockstep: { value: false },
      fifo: { value: world.rules.fifo },
      faultless: { value: facts.faultless && !isFaulty },
      boundedDelay: { value: facts.boundedDelay && world.rules.timing !== 'asynchronous' },
    },
  ) as RunFacts;
}

function countedLaw(law: Law, facts: RunFacts, count: number | null, isEnd: boolean): CountedLaw {
  const value = law.value(facts) ?? null;
  const base = { kind: law.kind, formula: formulaOf(law), when: law.when ?? null, value };
  if (value === null) return { ...base, state: 'inapplicable' };
  const verdict = obeys(law, value, count);
  if (verdict === null) return { ...base, state: 'open' };
  if (law.kind === 'exact' && !isEnd) {
    return { ...base, state: count !== null && count > value + 1e-9 ? 'fails' : 'open' };
  }
  return { ...base, state: verdict ? 'holds' : 'fails' };
}

function figureOf(model: RunModel, measure: Measure): number | null {
  const { codec } = model.world.machine;
  const sent = model.trace().sentBefore(model.position);
  const sum = (from: number, until: number): number =>
    codec.types.slice(from, until).reduce((total, type) => total + sent[type], 0);
  if (measure === 'election') return sum(0, codec.firstUpkeep);
  if (measure === 'upkeep') return sum(codec.firstUpkeep, codec.firstAnnouncement);
  if (measure === 'announcement') return sum(codec.firstAnnouncement, codec.types.length);
  if (typeof measure === 'object' && 'messages' in measure) return sent[measure.messages] ?? 0;
  // Times and own measures are those of the simulator.
  if (model.branch.parent !== null || model.position < model.length) return null;
  const outcome = model.run.interim();
  if (typeof measure === 'object') return outcome.measures?.[measure.own] ?? null;
  return measure === 'errorRate' ? null : outcome.time[measure];
}
