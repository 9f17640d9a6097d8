/** Counts what happened: many seeds in which nothing happens prove nothing. */
export class Tally {
  readonly counts = new Map<string, number>();

  count(what: string, times = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + times);
  }

  of(what: string): number {
    return this.counts.get(what) ?? 0;
  }

  add(other: Tally): void {
    for (const [what, times] of other.counts) this.count(what, times);
  }

  toString(): string {
    const sorted = [...this.counts].sort(([a], [b]) => (a < b ? -1 : 1));
    return sorted.map(([what, times]) => `${what} ${times.toLocaleString('en')}`).join(', ');
  }
}
