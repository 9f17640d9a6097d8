/** A setting, searched to its end or to a number of states. */

import { type SystemResult, searchSystem } from '../../../../study/src/checker/index.ts';
import { describeRun } from '../../../../study/src/checker/search/counterexample.ts';
import { runSlices } from '../../../../study/src/checker/search/slices.ts';
import { areAlike } from './configurations.ts';
import { LeaseSystem } from './lease-system.ts';
import { type Quiescence, quiescenceFrom } from './quiescence.ts';
import type { Setting } from './setting.ts';

/** The most states that one search may store. */
const MAX_STATES = 50_000_000;

export interface Searched {
  readonly result: SystemResult;
  readonly quiescence: Quiescence;
  /** The steps of a counterexample and the violated property; empty without a violation. */
  readonly narration: readonly string[];
  readonly ms: number;
}

export function searched(setting: Setting, stateLimit = MAX_STATES): Searched {
  const before = process.cpuUsage();
  const system = new LeaseSystem(setting, areAlike(setting));
  const result = searchSystem(system, { states: stateLimit });
  const quiescence =
    result.violation === null ? quiescenceFrom(system, result.search) : { longestMs: 0, finding: null };
  const { violation } = result;
  const narration =
    violation !== null
      ? [...violation.steps, violation.property, violation.text]
      : quiescence.finding !== null
        ? [...runSlices(describeRun(system, result.search, quiescence.finding)), quiescence.finding.text]
        : [];
  return { result, quiescence, narration, ms: Math.round(process.cpuUsage(before).user / 1000) };
}
