/** The distribution of measured times. */
export interface Spread {
  /** All in seconds. */
  readonly least: number;
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
  readonly runs: number;
}

/** Percentiles by nearest rank: of 100 runs, p99 is the second largest. */
export function spreadOf(seconds: readonly number[]): Spread {
  const sorted = [...seconds].sort((a, b) => a - b);
  const at = (part: number): number => sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
  return { least: at(0), p50: at(0.5), p99: at(0.99), most: at(1), runs: sorted.length };
}
