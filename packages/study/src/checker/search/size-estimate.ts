/**
 * Estimates the number of states of a breadth-first search from the sizes of its finished levels. Sizes grow and then shrink
 * like a bell curve: the logarithm of the ratio of two consecutive sizes falls by about the same amount from level to level.
 */

/** The levels that the slope is taken from. */
const SPAN = 4;
const MAX_LEVELS = 10_000;
/** More than any memory holds. A larger estimate only shows that the levels grow without an end in sight. */
const MAX_STATES = 1e12;

/** Null if the levels do not show yet where the search ends. `levels` has the first number of each level. */
export function expectedStates(levels: readonly number[]): number | null {
  const last = levels.length - 1;
  if (last < SPAN + 2) return null;
  const ratio = (level: number): number =>
    Math.log((levels[level + 1] - levels[level]) / (levels[level] - levels[level - 1]));
  const slope = (ratio(last - 1) - ratio(last - 1 - SPAN)) / SPAN;
  let growth = ratio(last - 1);
  if (slope >= 0 && growth >= 0) return null;
  let size = levels[last] - levels[last - 1];
  let states = levels[last];
  for (let level = 0; size >= 1 && level < MAX_LEVELS; level++) {
    growth += Math.min(0, slope);
    size *= Math.exp(growth);
    states += size;
  }
  return states > MAX_STATES ? null : Math.round(states);
}
