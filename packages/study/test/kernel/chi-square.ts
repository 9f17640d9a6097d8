/**
 * The deviation of counts from equal frequencies, in standard deviations: Wilson and Hilferty's normal approximation
 * of chi-square. The tests fix their seeds, so a result below 4 stays below 4.
 */
export function chiSquare(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  const statistic = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  const freedom = counts.length - 1;
  const spread = 2 / (9 * freedom);
  return (Math.cbrt(statistic / freedom) - (1 - spread)) / Math.sqrt(spread);
}
