/**
 * Count, mean, variance, minimum and maximum of figures, without keeping them.
 *
 * Guarantees: mean and variance by Welford's update and by the merge of Chan, Golub and LeVeque, each within rounding of
 * the plain formulas. Merging the same parts in the same order gives the same bits.
 * Does not guarantee the same bits in another order: merge in a fixed order.
 */

/** Plain data that can cross threads. */
export interface Moments {
  count: number;
  mean: number;
  /** The sum of the squared deviations from the mean. */
  squares: number;
  least: number;
  most: number;
}

export function noMoments(): Moments {
  return { count: 0, mean: 0, squares: 0, least: Number.POSITIVE_INFINITY, most: Number.NEGATIVE_INFINITY };
}

export function addFigure(moments: Moments, figure: number): void {
  moments.count++;
  const before = figure - moments.mean;
  moments.mean += before / moments.count;
  moments.squares += before * (figure - moments.mean);
  if (figure < moments.least) moments.least = figure;
  if (figure > moments.most) moments.most = figure;
}

export function mergeMoments(into: Moments, other: Moments): void {
  if (other.count === 0) return;
  const count = into.count + other.count;
  const apart = other.mean - into.mean;
  into.squares += other.squares + (apart * apart * into.count * other.count) / count;
  into.mean += (apart * other.count) / count;
  into.count = count;
  into.least = Math.min(into.least, other.least);
  into.most = Math.max(into.most, other.most);
}

/** The unbiased estimate of the variance; null for fewer than two figures. */
export function varianceOf({ count, squares }: Moments): number | null {
  return count < 2 ? null : squares / (count - 1);
}
