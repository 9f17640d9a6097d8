/**
 * The timers of all nodes. Setting a running timer restarts it; a timer fires once.
 */
import { NONE } from '../kernel/field.ts';
import { TICKS } from './schedules/schedule.ts';
import { TimerQueue } from './schedules/timer-queue.ts';

export class TimerTable {
  private readonly kinds: number;
  private readonly queue = new TimerQueue();
  /** When each timer is due, in ticks; 0 if it does not run. Entries of the queue with another time are stale. */
  private readonly due: Float64Array;

  constructor(nodes: number, kinds: number) {
    this.kinds = kinds;
    this.due = new Float64Array(nodes * kinds);
  }

  nextTime(): number {
    const queue = this.queue;
    for (let place = queue.first(); place !== undefined; place = queue.first()) {
      if (this.due[place] === queue.nextTime()) break;
      queue.drop();
    }
    return queue.nextTime();
  }

  /** `settings` are pairs of a timer and its units; NONE clears the timer. */
  set(now: number, at: number, settings: readonly number[]): void {
    for (let k = 0; k < settings.length; k += 2) {
      const place = at * this.kinds + settings[k];
      if (settings[k + 1] === NONE) this.due[place] = 0;
      else {
        const due = now + Math.max(1, Math.round(settings[k + 1] * TICKS));
        this.due[place] = due;
        this.queue.add(due, place);
      }
    }
  }

  /** The next timer that is due now, as `node * kinds + timer`, or −1; the timer stops. */
  take(now: number): number {
    if (this.nextTime() !== now) return -1;
    const place = this.queue.take(now);
    this.due[place] = 0;
    return place;
  }

  clearAll(at: number): void {
    this.due.fill(0, at * this.kinds, (at + 1) * this.kinds);
  }
}
