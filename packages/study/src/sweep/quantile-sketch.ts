/**
 * Quantiles without keeping the figures: a histogram of their logarithms, as in DDSketch (Masson, Rim and Lee, VLDB 2019).
 *
 * Guarantees: a quantile is within 1 % of a figure of that rank. Merging is exact, in any order. For figures up to 10^15
 * there are at most 2,000 counts. Figures must not be negative.
 */

const ACCURACY = 0.01;
const RATIO = (1 + ACCURACY) / (1 - ACCURACY);
const LOG_RATIO = Math.log(RATIO);
/** The key of 0 and of everything below the smallest possible time or count. */
const ZERO = -1_000_000;
const LEAST = 1e-6;

/** Plain data: the number of figures for each rounded logarithm. */
export type QuantileSketch = Map<number, number>;

export function countFigure(sketch: QuantileSketch, figure: number): void {
  const key = figure < LEAST ? ZERO : Math.ceil(Math.log(figure) / LOG_RATIO);
  sketch.set(key, (sketch.get(key) ?? 0) + 1);
}

export function mergeSketches(into: QuantileSketch, other: QuantileSketch): void {
  for (const [key, count] of other) into.set(key, (into.get(key) ?? 0) + count);
}

/** The quantiles for ascending `shares`; empty if there are no figures. */
export function quantilesOf(sketch: QuantileSketch, shares: readonly number[]): number[] {
  const keys = [...sketch.keys()].sort((one, other) => one - other);
  const all = keys.reduce((sum, key) => sum + (sketch.get(key) ?? 0), 0);
  const found: number[] = [];
  let passed = 0;
  for (const key of keys) {
    passed += sketch.get(key) ?? 0;
    while (found.length < shares.length && passed > shares[found.length] * (all - 1)) {
      found.push(key === ZERO ? 0 : (2 * RATIO ** key) / (1 + RATIO));
    }
  }
  return found;
}
