/**
 * A priority queue of planned events: a binary heap ordered by time, then by the order of adding. Each entry has a number whose
 * meaning is up to the caller.
 */
export class TimerQueue {
  private readonly times: number[] = [];
  private readonly turns: number[] = [];
  private readonly values: number[] = [];
  private added = 0;

  nextTime(): number {
    return this.times.length > 0 ? this.times[0] : Number.POSITIVE_INFINITY;
  }

  /** Adds an entry after those of the same time. */
  add(time: number, value: number): void {
    const { times, turns, values } = this;
    const turn = this.added++;
    let at = times.length;
    times.push(time);
    turns.push(turn);
    values.push(value);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (times[parent] < time || (times[parent] === time && turns[parent] < turn)) break;
      this.move(parent, at);
      at = parent;
    }
    this.write(at, time, turn, value);
  }

  /** Removes the first entry. */
  drop(): void {
    const time = this.times.pop() as number;
    const turn = this.turns.pop() as number;
    const value = this.values.pop() as number;
    if (this.times.length > 0) this.sink(time, turn, value);
  }

  /** Removes the first entry and returns its number if it is due now; otherwise returns −1. */
  take(now: number): number {
    if (this.nextTime() !== now) return -1;
    const value = this.values[0];
    this.drop();
    return value;
  }

  /** Writes an entry in place of the first, and restores the order. */
  private sink(time: number, turn: number, value: number): void {
    const { times, turns } = this;
    const end = times.length;
    let at = 0;
    for (let child = 1; child < end; child = 2 * at + 1) {
      const right = child + 1;
      if (
        right < end &&
        (times[right] < times[child] || (times[right] === times[child] && turns[right] < turns[child]))
      ) {
        child = right;
      }
      if (time < times[child] || (time === times[child] && turn < turns[child])) break;
      this.move(child, at);
      at = child;
    }
    this.write(at, time, turn, value);
  }

  private move(from: number, to: number): void {
    this.times[to] = this.times[from];
    this.turns[to] = this.turns[from];
    this.values[to] = this.values[from];
  }

  private write(at: number, time: number, turn: number, value: number): void {
    this.times[at] = time;
    this.turns[at] = turn;
    this.values[at] = value;
  }
}
