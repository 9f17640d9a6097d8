/**
 * A priority queue of planned events: a binary heap ordered by time, then by insertion. Each entry has a number whose meaning
 * is up to the caller.
 */
export class TimerQueue {
  private readonly times: number[] = [];
  private readonly orders: number[] = [];
  private readonly values: number[] = [];
  private entered = 0;

  nextTime(): number {
    return this.times.length > 0 ? this.times[0] : Number.POSITIVE_INFINITY;
  }

  /** The number of the first entry; undefined if the queue is empty. */
  first(): number | undefined {
    return this.values[0];
  }

  add(time: number, value: number): void {
    let at = this.times.length;
    this.write(at, time, this.entered++, value);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.before(at, parent)) break;
      this.swap(at, parent);
      at = parent;
    }
  }

  /** Removes the first entry. */
  drop(): void {
    const last = this.times.length - 1;
    this.swap(0, last);
    this.times.pop();
    this.orders.pop();
    this.values.pop();
    let at = 0;
    for (;;) {
      let least = at;
      const child = 2 * at + 1;
      if (child < last && this.before(child, least)) least = child;
      if (child + 1 < last && this.before(child + 1, least)) least = child + 1;
      if (least === at) return;
      this.swap(at, least);
      at = least;
    }
  }

  /** Removes the first entry and returns its number if it is due now; otherwise returns −1. */
  take(now: number): number {
    if (this.nextTime() !== now) return -1;
    const value = this.values[0];
    this.drop();
    return value;
  }

  private before(one: number, other: number): boolean {
    const difference = this.times[one] - this.times[other];
    return difference !== 0 ? difference < 0 : this.orders[one] < this.orders[other];
  }

  private write(at: number, time: number, order: number, value: number): void {
    this.times[at] = time;
    this.orders[at] = order;
    this.values[at] = value;
  }

  private swap(one: number, other: number): void {
    const [time, order, value] = [this.times[one], this.orders[one], this.values[one]];
    this.write(one, this.times[other], this.orders[other], this.values[other]);
    this.write(other, time, order, value);
  }
}
