/** Both clocks of one machine, read at the same time, in whole milliseconds. Also used for a deadline on both clocks. */
export interface ClockReading {
  /** Monotonic: never jumps. Stops while the machine sleeps. */
  readonly monoMs: number;
  /** Milliseconds since 1970. May jump. Runs on while the machine sleeps. */
  readonly wallMs: number;
}
