/**
 * Every state of a system of your own: not an election between nodes, but anything with states and steps.
 *
 * Guarantees, where the result says `complete`: in no reachable state, and on no step, is anything broken that the system
 * itself looks for; states were kept and compared whole. Otherwise `violation` is one that a shortest run leads to.
 * Does not ask whether runs end.
 */
import { describeRun } from './counterexample.ts';
import { type Search, type SearchLimits, search } from './search.ts';
import { StateStore } from './state-store.ts';
import type { System, Violation } from './system.ts';

/** The result of exploring a system. */
export interface SystemResult {
  readonly states: number;
  readonly transitions: number;
  /** Steps from the beginning to the state that is furthest from it. */
  readonly depth: number;
  /** Nothing was left out, and nothing is broken. */
  readonly complete: boolean;
  readonly violation: (Violation & { readonly steps: readonly string[] }) | null;
  readonly search: Search;
}

const LIMITS: SearchLimits = { states: 50_000_000, bytes: 2_000_000_000 };

/** Explores every state of a transition system. */
export function searchSystem(system: System, limits: Partial<SearchLimits> = {}): SystemResult {
  const result = search(system, new StateStore(system.width), { ...LIMITS, ...limits });
  const { seen, transitions, finding, levels, searched, beyond } = result;
  const violation =
    finding === null
      ? null
      : {
          property: finding.property,
          text: finding.text,
          steps: describeRun(system, result, finding),
        };
  return {
    states: seen.count,
    transitions,
    depth: levels.length - 1,
    complete: finding === null && searched === seen.count && beyond === 0,
    violation,
    search: result,
  };
}
