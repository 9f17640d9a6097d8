/** A system, searched to its end, and judged for termination under weak fairness. */
import { type SystemResult, searchSystem } from '../../../../study/src/checker/index.ts';
import { describeRun } from '../../../../study/src/checker/search/counterexample.ts';
import { judgeTermination } from '../../../../study/src/checker/search/fairness.ts';
import { runSlices } from '../../../../study/src/checker/search/slices.ts';
import type { System } from '../../../../study/src/checker/search/system.ts';

export interface SearchedShards {
  readonly states: number;
  readonly transitions: number;
  readonly complete: boolean;
  /** The violated property; null if all hold. */
  readonly property: string | null;
  /** The steps of a counterexample. */
  readonly narration: readonly string[];
}

export function searchShards(system: System, mustTerminate = true): SearchedShards {
  const result: SystemResult = searchSystem(system);
  const { states, transitions, complete, violation } = result;
  if (violation !== null) {
    return {
      states,
      transitions,
      complete,
      property: violation.property,
      narration: [...violation.steps, violation.text],
    };
  }
  const { livelock } = mustTerminate ? runSlices(judgeTermination(system, result.search)) : { livelock: -1 };
  if (livelock < 0) return { states, transitions, complete, property: null, narration: [] };
  const text = 'from here on, moves never end';
  const finding = { property: 'moves end', text, state: livelock, step: null };
  return {
    ...{ states, transitions, complete, property: 'moves end' },
    narration: [...runSlices(describeRun(system, result.search, finding)), text],
  };
}
