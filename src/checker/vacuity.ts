/**
 * A search without a violation proves little about an algorithm that elects nobody: with a horizon, or within bounds, it need not
 * reach the end of any election.
 */
import { isExhausted, type Search, STATES_IN_SLICE } from './search/search.ts';
import type { Slices } from './search/slices.ts';
import type { System } from './search/system.ts';

/** True if a leader that all live nodes follow exists in some state, or if it is not known that there is none. */
export function* mayElect(system: System, search: Search): Slices<boolean> {
  const { beyondBound, seen } = search;
  // If every run must end, and none was cut, the ends have been judged.
  const isJudged = system.mustTerminate && beyondBound === 0;
  if (isJudged || !seen.exact || !isExhausted(search)) return true;
  const state = new Uint16Array(system.width);
  for (let number = 0; number < seen.count; number++) {
    if (number % STATES_IN_SLICE === 0) yield;
    seen.read(number, state);
    if (system.judgeEnd(state) === null) return true;
  }
  return false;
}
