/** Both clocks of one machine, read at the same time, in whole milliseconds. Also used for a deadline on both clocks. */
export interface ClockReading {
  /** Monotonic: never jumps. Stops while the machine sleeps. */
  readonly monoMs: number;
  /** Milliseconds since 1970. May jump. Runs on while the machine sleeps. */
  readonly wallMs: number;
}

/** Both clocks this long before. */
export function earlier({ monoMs, wallMs }: ClockReading, byMs: number): ClockReading {
  return { monoMs: monoMs - byMs, wallMs: wallMs - byMs };
}

/** What is left of a duration that began at `since`, on the clock that leaves less. */
export function remainingOf(since: ClockReading, durationMs: number, now: ClockReading): number {
  return Math.min(since.monoMs + durationMs - now.monoMs, since.wallMs + durationMs - now.wallMs);
}
