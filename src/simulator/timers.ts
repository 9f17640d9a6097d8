/**
 * The timers of all nodes. Setting a timer that runs starts it again; a timer fires once.
 */
import { NONE } from '../kernel/field.ts';
import { TICKS } from './schedules/schedule.ts';
import { Agenda } from './schedules/timer-queue.ts';

export class TimerTable {
  private readonly kinds: number;
  private readonly agenda = new Agenda();
  /** When each timer of each node is due, in ticks; 0 if it does not run. What the agenda says otherwise is stale. */
  private readonly due: Float64Array;

  constructor(nodes: number, kinds: number) {
    this.kinds = kinds;
    this.due = new Float64Array(nodes * kinds);
  }

  nextTime(): number {
    const agenda = this.agenda;
    for (let place = agenda.first(); place !== undefined; place = agenda.first()) {
      if (this.due[place] === agenda.nextTime()) break;
      agenda.drop();
    }
    return agenda.nextTime();
  }

  /** Carries out pairs of timer and units, NONE to clear. */
  set(now: number, at: number, wishes: readonly number[]): void {
    for (let k = 0; k < wishes.length; k += 2) {
      const place = at * this.kinds + wishes[k];
      if (wishes[k + 1] === NONE) this.due[place] = 0;
      else {
        const due = now + Math.max(1, Math.round(wishes[k + 1] * TICKS));
        this.due[place] = due;
        this.agenda.add(due, place);
      }
    }
  }

  /** The next timer due now as `node * kinds + timer`, or −1; it stops running. */
  take(now: number): number {
    if (this.nextTime() !== now) return -1;
    const place = this.agenda.take(now);
    this.due[place] = 0;
    return place;
  }

  clearAll(at: number): void {
    this.due.fill(0, at * this.kinds, (at + 1) * this.kinds);
  }
}
