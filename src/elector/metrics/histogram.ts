/** A Prometheus histogram: counts values at or below each bound. */
export interface Histogram {
  /** Ascending. */
  readonly bounds: readonly number[];
  readonly count: number;
  readonly sum: number;
  /** For each bound, the number of values at or below it. */
  cumulative(): number[];
}

export class HistogramCounter implements Histogram {
  private readonly counts: number[];
  count = 0;
  sum = 0;

  constructor(readonly bounds: readonly number[]) {
    this.counts = bounds.map(() => 0);
  }

  add(value: number): void {
    this.count++;
    this.sum += value;
    const { bounds } = this;
    let bucket = 0;
    while (bucket < bounds.length && bounds[bucket] < value) bucket++;
    if (bucket < bounds.length) this.counts[bucket]++;
  }

  cumulative(): number[] {
    let total = 0;
    return this.counts.map((count) => {
      total += count;
      return total;
    });
  }
}
