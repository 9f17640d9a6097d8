/**
 * The events of a run that are planned for a time: crashes, recoveries and starts. The initiators that start at 0 may be
 * millions, so they stay in the array of the plan.
 */

import type { Plan } from '../plan/plan.ts';
import { TICKS } from '../schedules/schedule.ts';
import { TimerQueue } from '../schedules/timer-queue.ts';

const NONE_STARTING = new Int32Array(0);

export class PlannedEvents {
  readonly crashes = new TimerQueue();
  readonly recoveries = new TimerQueue();
  readonly starts = new TimerQueue();
  private atZero: Int32Array = NONE_STARTING;
  private zeroPending = true;

  constructor({ faults, initiators, wakeTimes }: Plan) {
    for (const { position, time } of faults.crashes) this.crashes.add(ticks(time), position);
    for (const { position, time } of faults.recoveries) this.recoveries.add(ticks(time), position);
    if (wakeTimes === null) this.atZero = initiators;
    else for (let k = 0; k < initiators.length; k++) this.starts.add(ticks(wakeTimes[k]), initiators[k]);
  }

  nextTime(): number {
    if (this.zeroPending) return 0;
    return Math.min(this.crashes.nextTime(), this.recoveries.nextTime(), this.starts.nextTime());
  }

  /** The initiators that start at 0; empty after the first call. */
  startingAtZero(): Int32Array {
    this.zeroPending = false;
    const starting = this.atZero;
    this.atZero = NONE_STARTING;
    return starting;
  }
}

function ticks(units: number): number {
  return Math.round(units * TICKS);
}
