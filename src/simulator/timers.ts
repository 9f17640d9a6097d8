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

const NOT_QUEUED = 0;

export class TimerTable {
  private readonly kinds: number;
  private readonly queue = new TimerQueue();
  /** By place, which is `node * kinds + timer`: when it is due, in ticks; 0 if it does not run. */
  private readonly due: Float64Array;
  /** By place: the time of its entry, not later than `due`. Entries of another time are obsolete. */
  private readonly queuedAt: Float64Array;
  /** By place: its turn among timers of the same time. */
  private readonly turns: Float64Array;
  private turn = 0;
  private running = 0;

  constructor(nodes: number, kinds: number) {
    this.kinds = kinds;
    this.due = new Float64Array(nodes * kinds);
    this.queuedAt = new Float64Array(nodes * kinds);
    this.turns = new Float64Array(nodes * kinds);
  }

  /** When the next timer is due, if that is before `limit`; otherwise some time that is not before `limit`. */
  nextTime(limit: number): number {
    const { queue } = this;
    if (this.running === 0) return Number.POSITIVE_INFINITY;
    while (queue.nextTime() < limit) {
      const time = queue.nextTime();
      const place = queue.first();
      const due = this.due[place];
      if (due === time && this.queuedAt[place] === time) return time;
      if (this.queuedAt[place] !== time) queue.drop();
      else if (due === 0) {
        queue.drop();
        this.queuedAt[place] = NOT_QUEUED;
      } else {
        queue.postpone(due, this.turns[place]);
        this.queuedAt[place] = due;
      }
    }
    return queue.nextTime();
  }

  /** The first `length` entries of `settings` are pairs of a timer and its units; NONE clears the timer. */
  set(now: number, at: number, settings: readonly number[], length: number): void {
    for (let k = 0; k < length; k += 2) {
      const place = at * this.kinds + settings[k];
      const units = settings[k + 1];
      if (units === NONE) this.clear(place);
      else this.start(place, now + Math.max(1, Math.round(units * TICKS)));
    }
  }

  /** The next timer that is due now, as `node * kinds + timer`, or −1; the timer stops. */
  take(now: number): number {
    if (this.nextTime(now + 1) !== now) return NONE;
    const place = this.queue.first();
    this.queue.drop();
    this.queuedAt[place] = NOT_QUEUED;
    this.clear(place);
    return place;
  }

  clearAll(at: number): void {
    for (let place = at * this.kinds; place < (at + 1) * this.kinds; place++) this.clear(place);
  }

  private start(place: number, due: number): void {
    // Set again to the same time, it keeps its turn.
    if (this.due[place] === due) return;
    if (this.due[place] === 0) this.running++;
    this.due[place] = due;
    const turn = this.turn++;
    const queuedAt = this.queuedAt[place];
    if (queuedAt !== NOT_QUEUED && queuedAt <= due) {
      this.turns[place] = turn;
      return;
    }
    this.queuedAt[place] = due;
    this.queue.insert(due, turn, place);
  }

  private clear(place: number): void {
    if (this.due[place] !== 0) this.running--;
    this.due[place] = 0;
  }
}
