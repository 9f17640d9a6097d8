import { registry } from '../../../src/algorithms/registry.ts';
import type { NetworkDrawingOptions } from '../../../src/drawing/index.ts';
import { type AnyAlgorithm, appearanceOf } from '../../../src/kernel/index.ts';
import { Run, type SimulateOptions, type TraceEvent } from '../../../src/simulator/index.ts';

export function algorithmNamed(name: string): AnyAlgorithm {
  const found = registry.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no algorithm ${name}`);
  return found;
}

/** A run with everything that its pictures need. */
export function recorded(algorithm: AnyAlgorithm, options: SimulateOptions = {}): NetworkDrawingOptions {
  const events: TraceEvent[] = [];
  const run = new Run(algorithm, { ...options, observe: (event) => events.push(event), states: true });
  while (!run.advance());
  run.outcome();
  const { topology, ids, anonymous } = run.plan;
  const typesThat = (purpose: 'announces' | 'upkeep') =>
    Object.keys(algorithm.messages).filter((type) => algorithm.messages[type][purpose]);
  return {
    title: algorithm.title,
    subtitle: 'a run',
    events,
    topology,
    ids: anonymous ? null : ids,
    announcements: typesThat('announces'),
    upkeep: typesThat('upkeep'),
    weight: algorithm.weight,
    appearance: (state) => appearanceOf(algorithm, state),
  };
}
