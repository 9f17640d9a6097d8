/** Sample means with confidence intervals, and tests of a claimed mean. */
import { halfWidthOf } from '@hustings/study/internal/sweep/confidence';
import { addFigure, noMoments, varianceOf } from '@hustings/study/internal/sweep/moments';
import type { Moments } from '@hustings/study/sweep';

/** Allowed deviation in standard errors. A correct law exceeds it once in 15,000 samples. */
const STANDARD_ERRORS = 4;

export function sampleOf(figures: Iterable<number>): Moments {
  const moments = noMoments();
  for (const figure of figures) addFigure(moments, figure);
  return moments;
}

export function standardError(moments: Moments): number {
  return Math.sqrt((varianceOf(moments) ?? 0) / Math.max(1, moments.count));
}

/** The 95 % confidence interval. */
export function intervalOf(moments: Moments): readonly [low: number, high: number] {
  const half = halfWidthOf(moments) ?? 0;
  return [moments.mean - half, moments.mean + half];
}

/** Whether the sample is consistent with this mean, give or take `tolerance`. */
export function mayBe(moments: Moments, value: number, tolerance = 0): boolean {
  return (
    Math.abs(moments.mean - value) <=
    STANDARD_ERRORS * standardError(moments) + tolerance + 1e-9 * Math.abs(value)
  );
}

/** Whether the sample is consistent with a mean of at most `value`. */
export function mayBeAtMost(moments: Moments, value: number): boolean {
  return moments.mean <= value + STANDARD_ERRORS * standardError(moments);
}

/** The 95 % confidence interval, its ends in this format. */
export function showInterval(moments: Moments, format: (end: number) => string): string {
  return intervalOf(moments).map(format).join(' … ');
}

export function showMean(moments: Moments, digits = 3): string {
  const half = halfWidthOf(moments) ?? 0;
  return `${moments.mean.toFixed(digits)} ± ${half.toFixed(digits)}`;
}
