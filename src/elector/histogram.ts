/** How often values fell at or below each of a few bounds: what Prometheus calls a histogram. */
export class Histogram {
  readonly counts: number[];
  count = 0;
  sum = 0;

  /** `bounds` rise. */
  constructor(readonly bounds: readonly number[]) {
    this.counts = bounds.map(() => 0);
  }

  add(value: number): void {
    this.count++;
    this.sum += value;
    const bucket = this.bounds.findIndex((bound) => value <= bound);
    if (bucket >= 0) this.counts[bucket]++;
  }

  /** For each bound, how many values are not above it. */
  cumulative(): number[] {
    let total = 0;
    return this.counts.map((count) => {
      total += count;
      return total;
    });
  }
}
