/**
 * Model checking of any transition system, not only of elections.
 *
 * Guarantees, if the result is `complete`: no reachable state and no step has a violation; states were compared exactly.
 * Otherwise `violation` has a shortest run to it. Does not check termination.
 */
import { describeRun } from './counterexample.ts';
import { isExhausted, type Search, type SearchLimits, search } from './search.ts';
import { runSlices } from './slices.ts';
import { StateStore } from './state-store.ts';
import type { System, Violation } from './system.ts';

/** The result of exploring a system. */
export interface SystemResult {
  readonly states: number;
  readonly transitions: number;
  /** The number of levels of the breadth-first search after the initial states. */
  readonly depth: number;
  /** All states were expanded, and none has a violation. */
  readonly complete: boolean;
  readonly violation: (Violation & { readonly steps: readonly string[] }) | null;
  readonly search: Search;
}

const LIMITS: SearchLimits = { states: 50_000_000, bytes: 2_000_000_000 };

/** Explores the state space of a transition system. */
export function searchSystem(system: System, limits: Partial<SearchLimits> = {}): SystemResult {
  const result = search(system, new StateStore(system.width, system.order), { ...LIMITS, ...limits });
  const { seen, transitions, finding, levels, beyondBound } = result;
  const violation =
    finding === null
      ? null
      : {
          property: finding.property,
          text: finding.text,
          steps: runSlices(describeRun(system, result, finding)),
        };
  return {
    states: seen.count,
    transitions,
    depth: levels.length - 1,
    complete: finding === null && isExhausted(result) && beyondBound === 0,
    violation,
    search: result,
  };
}
