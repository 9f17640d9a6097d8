/** Runs of which the tests draw pictures. */
import { registry } from '../../../src/algorithms/index.ts';
import { drawSpaceTime, type SpaceTimeOptions } from '../../../src/drawing/index.ts';
import { type AnyAlgorithm, appearanceOf } from '../../../src/kernel/index.ts';
import { Run, type SimulateOptions, type TraceEvent } from '../../../src/simulator/index.ts';

export function algorithmNamed(name: string): AnyAlgorithm {
  const found = registry.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

export interface Recorded {
  readonly events: readonly TraceEvent[];
  readonly shown: SpaceTimeOptions;
}

export function record(algorithm: AnyAlgorithm, options: SimulateOptions): Recorded {
  const events: TraceEvent[] = [];
  const run = new Run(algorithm, { ...options, states: true, observe: (event) => events.push(event) });
  while (!run.advance());
  const { anonymous, ids, topology } = run.plan;
  const typesThat = (purpose: 'announces' | 'upkeep') =>
    Object.keys(algorithm.messages).filter((type) => algorithm.messages[type][purpose]);
  const shown = {
    ...{ title: algorithm.title, subtitle: 'a run', topology, ids: anonymous ? null : ids },
    ...{ announcements: typesThat('announces'), upkeep: typesThat('upkeep') },
    appearance: (state: Readonly<Record<string, unknown>>) => appearanceOf(algorithm, state),
  };
  return { events, shown };
}

export function draw(name: string, options: SimulateOptions = {}) {
  const { events, shown } = record(algorithmNamed(name), options);
  const scene = drawSpaceTime(events, shown);
  const arrows = scene.strips.flatMap((strip) => strip.arrows);
  const marks = scene.strips.flatMap((strip) => strip.marks);
  const bands = scene.strips.flatMap((strip) => strip.bands);
  const legend = scene.texts.filter(({ role }) => role === 'legend').map(({ text }) => text);
  return { events, shown, scene, arrows, marks, bands, legend };
}
