/**
 * Deadlines on the clocks of this host. All processes of the host share these clocks, so a deadline can be sent to another
 * process, and no delay on the way moves it. The monotonic clock stops while the machine sleeps, and the wall clock can
 * jump: the smaller remainder counts.
 */
import type { ClockReading } from '../lease/core/clock-reading.ts';

export function deadlineIn(ms: number): ClockReading {
  return { monoMs: hostMonoMs() + ms, wallMs: Date.now() + ms };
}

/** Zero or less after the deadline. */
export function remainingMs(deadline: ClockReading): number {
  return Math.min(deadline.monoMs - hostMonoMs(), deadline.wallMs - Date.now());
}

/** The monotonic clock of the host; `performance.now()` is that of the process. */
function hostMonoMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
