/**
 * The 95 % confidence interval of a mean, by Student's t distribution.
 *
 * Guarantees the quantile of the distribution within 0.1 %. Does not guarantee that the figures are normally distributed:
 * for skewed figures and few runs the interval is somewhat too short.
 */
import { type Moments, varianceOf } from './moments.ts';

export const CONFIDENCE = 0.95;
/** The quantile of the normal distribution for (1 + CONFIDENCE)/2. */
const Z = 1.959963984540054;
/** The quantiles for one to seven degrees of freedom, where the series is too coarse. */
const FEW = [12.706204736, 4.30265273, 3.182446305, 2.776445105, 2.570581836, 2.446911851, 2.364624252];

/** The series of Cornish and Fisher in 1/degrees. */
export function studentQuantile(degrees: number): number {
  if (degrees <= FEW.length) return FEW[degrees - 1];
  const second = (Z ** 3 + Z) / 4;
  const third = (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / 96;
  const fourth = (3 * Z ** 7 + 19 * Z ** 5 + 17 * Z ** 3 - 15 * Z) / 384;
  return Z + second / degrees + third / degrees ** 2 + fourth / degrees ** 3;
}

/** Half the width of the interval; null for fewer than two figures. */
export function halfWidthOf(moments: Moments): number | null {
  const variance = varianceOf(moments);
  if (variance === null) return null;
  return studentQuantile(moments.count - 1) * Math.sqrt(variance / moments.count);
}

/** The interval of Wilson for the rate of `count` in `all`: never empty, and within 0 and 1, also if the count is 0. */
export function rateInterval(count: number, all: number): readonly [low: number, high: number] | null {
  if (all === 0) return null;
  const rate = count / all;
  const weight = Z ** 2 / all;
  const middle = (rate + weight / 2) / (1 + weight);
  const half = (Z / (1 + weight)) * Math.sqrt((rate * (1 - rate)) / all + weight / (4 * all));
  // At the ends rounding would leave the interval without the rate.
  return [count === 0 ? 0 : middle - half, count === all ? 1 : middle + half];
}
