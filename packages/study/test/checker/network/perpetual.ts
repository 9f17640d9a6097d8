import fc from 'fast-check';
import { expect } from 'vitest';
import { exploredBy } from './explored.ts';
import { perpetualAlgorithm, randomInvariant } from './random-algorithm.ts';

/** Algorithms with beats, and the options of a search. */
export const perpetual = fc
  .tuple(
    perpetualAlgorithm(),
    randomInvariant(),
    fc.record({
      fifo: fc.constantFrom(false, false, true),
      starts: fc.constantFrom('free' as const, 'first' as const, 'together' as const),
      losses: fc.constantFrom(0, 0, 1),
      initiators: fc.constantFrom([0], [0, 1], [0, 2], [0, 1, 2]),
    }),
  )
  .map(([bare, invariant, setting]) => ({
    algorithm: { ...bare, invariants: { node: { 'levels-allowed': invariant } } },
    options: { ...setting, invariants: 'all' as const },
  }));

/**
 * Compares reduced with full searches. `violated` is the number of algorithms of which the reduced search, which had fewer
 * states, found the same violations.
 */
export function comparePerpetual(
  numRuns: number,
  maxStates: number,
): { full: number; reduced: number; violated: number } {
  const sums = { full: 0, reduced: 0, violated: 0 };
  fc.assert(
    fc.property(perpetual, ({ algorithm, options }) => {
      const all = exploredBy(algorithm, options, false, maxStates);
      fc.pre(all.states <= maxStates);
      const some = exploredBy(algorithm, options, true, maxStates);
      expect(some.ends).toEqual(all.ends);
      expect(some.broken).toEqual(all.broken);
      if (some.states < all.states && some.broken.length > 0) sums.violated++;
      sums.full += all.states;
      sums.reduced += some.states;
    }),
    { numRuns },
  );
  return sums;
}
