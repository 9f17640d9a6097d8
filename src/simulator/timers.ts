/**
 * The timers of all nodes. Setting a running timer restarts it; a timer fires once. Timers of the same time fire in the order
 * in which they were set.
 *
 * A timer has one entry in the queue. Most timers are restarted or cleared long before they are due, so the entry stays where
 * it is, at a time that is not later than the timer's, and moves only when it becomes the first. A timer that is set to an
 * earlier time gets a second entry.
 */
import { NONE } from '../kernel/field.ts';
import { TICKS } from './schedules/schedule.ts';
import { TimerQueue } from './schedules/timer-queue.ts';

/** The columns of a timer. They are read and written together, so they are in one row. */
const COLUMNS = 3;
/** When it is due, in ticks; 0 if it does not run. */
const DUE = 0;
/** The time of its entry, not later than its due time; 0 without an entry. Entries of another time are obsolete. */
const QUEUED = 1;
/** Its turn among timers of the same time. */
const TURN = 2;

export class TimerTable {
  private readonly nodes: number;
  private readonly kinds: number;
  private readonly queue = new TimerQueue();
  /** The rows by place, which is `timer * nodes + node`: rows of a timer that no node uses are never in the cache. */
  private readonly rows: Float64Array;
  private turn = 0;
  private running = 0;

  constructor(nodes: number, kinds: number) {
    this.nodes = nodes;
    this.kinds = kinds;
    this.rows = new Float64Array(nodes * kinds * COLUMNS);
  }

  /** When the next timer is due, if that is before `limit`; otherwise some time that is not before `limit`. */
  nextTime(limit: number): number {
    const { queue, rows } = this;
    if (this.running === 0) return Number.POSITIVE_INFINITY;
    let time = queue.nextTime();
    while (time < limit) {
      const row = queue.first() * COLUMNS;
      const due = rows[row + DUE];
      const isObsolete = rows[row + QUEUED] !== time;
      if (due === time && !isObsolete) return time;
      if (!isObsolete) rows[row + QUEUED] = due;
      if (isObsolete || due === 0) queue.drop();
      else queue.postpone(due, rows[row + TURN]);
      time = queue.nextTime();
    }
    return time;
  }

  /** The first `length` entries of `settings` are pairs of a timer and its units; NONE clears the timer. */
  set(now: number, at: number, settings: readonly number[], length: number): void {
    for (let k = 0; k < length; k += 2) {
      const place = settings[k] * this.nodes + at;
      const units = settings[k + 1];
      if (units === NONE) this.clear(place);
      else this.start(place, now + Math.max(1, Math.round(units * TICKS)));
    }
  }

  /** The next timer that is due now, as its place, or −1; the timer stops. */
  take(now: number): number {
    if (this.nextTime(now + 1) !== now) return NONE;
    const place = this.queue.first();
    this.queue.drop();
    this.rows[place * COLUMNS + QUEUED] = 0;
    this.clear(place);
    return place;
  }

  clearAll(at: number): void {
    for (let timer = 0; timer < this.kinds; timer++) this.clear(timer * this.nodes + at);
  }

  private start(place: number, due: number): void {
    const { rows } = this;
    const row = place * COLUMNS;
    // Set again to the same time, it keeps its turn.
    if (rows[row + DUE] === due) return;
    if (rows[row + DUE] === 0) this.running++;
    rows[row + DUE] = due;
    rows[row + TURN] = this.turn++;
    const queued = rows[row + QUEUED];
    if (queued !== 0 && queued <= due) return;
    rows[row + QUEUED] = due;
    this.queue.insert(due, rows[row + TURN], place);
  }

  private clear(place: number): void {
    const { rows } = this;
    if (rows[place * COLUMNS + DUE] !== 0) this.running--;
    rows[place * COLUMNS + DUE] = 0;
  }
}
