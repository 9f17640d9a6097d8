/** Means of what was measured, with the interval in which the true mean lies, and whether a law is one of them. */
import { halfWidthOf } from '../sweep/confidence.ts';
import { addFigure, type Moments, noMoments, varianceOf } from '../sweep/moments.ts';

/** Standard errors that a right law may be off by: chance alone goes further once in 15,000 times. */
const STANDARD_ERRORS = 4;

export function sampleOf(figures: Iterable<number>): Moments {
  const moments = noMoments();
  for (const figure of figures) addFigure(moments, figure);
  return moments;
}

export function standardError(moments: Moments): number {
  return Math.sqrt((varianceOf(moments) ?? 0) / Math.max(1, moments.count));
}

/** Where the true mean lies, with 95 % confidence. */
export function intervalOf(moments: Moments): readonly [low: number, high: number] {
  const half = halfWidthOf(moments) ?? 0;
  return [moments.mean - half, moments.mean + half];
}

/** May the true mean be this, give or take `slack`? */
export function mayBe(moments: Moments, value: number, slack = 0): boolean {
  return (
    Math.abs(moments.mean - value) <=
    STANDARD_ERRORS * standardError(moments) + slack + 1e-9 * Math.abs(value)
  );
}

/** May the true mean be as much as this, or less? */
export function mayBeAtMost(moments: Moments, value: number): boolean {
  return moments.mean <= value + STANDARD_ERRORS * standardError(moments);
}

export function showMean(moments: Moments, digits = 3): string {
  const half = halfWidthOf(moments) ?? 0;
  return `${moments.mean.toFixed(digits)} ± ${half.toFixed(digits)}`;
}
