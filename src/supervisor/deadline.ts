/**
 * A moment on the clocks of this host, which all its processes share: it can be sent to another process, and no delay on
 * the way moves it. The monotonic clock stands still while the machine sleeps, and the wall clock jumps: the smaller
 * remainder counts.
 */
export interface Deadline {
  readonly monoMs: number;
  readonly wallMs: number;
}

export function deadlineIn(ms: number): Deadline {
  return { monoMs: monoMs() + ms, wallMs: Date.now() + ms };
}

/** Zero or less: it has passed. */
export function remainingMs(deadline: Deadline): number {
  return Math.min(deadline.monoMs - monoMs(), deadline.wallMs - Date.now());
}

/** Of the host, not of the process, as `performance.now()` would be. */
function monoMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
