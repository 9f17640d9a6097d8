/** The clocks of this process. Its monotonic clock is that of all processes in the same time namespace. */
import type { ClockReading } from '../core/clock-reading.ts';

/** The clocks of an elector. A test may also give it timers and random numbers: `hustings/testing` does. */
export interface Clock {
  /** Both clocks of this machine, read at the same time. */
  now(): ClockReading;
  /** Calls `call` after `delayMs`, unless the function that it returns was called. Default: the timers of Node. */
  setTimeout?(call: () => void, delayMs: number): () => void;
  /** From 0 to less than 1, for delays that are drawn at random. Default: `Math.random`. */
  random?(): number;
}

/** The real clocks. */
export const processClock: Clock = {
  now: () => ({ monoMs: Number(process.hrtime.bigint() / 1_000_000n), wallMs: Date.now() }),
};
