/** The clocks of this process. Its monotonic clock is that of all processes in the same time namespace. */
import type { ClockReading } from '../core/clock-reading.ts';

/** A source of clock readings, for tests. */
export interface Clock {
  /** Both clocks of this machine, read at the same time. */
  now(): ClockReading;
}

/** The real clocks. */
export const processClock: Clock = {
  now: () => ({ monoMs: Number(process.hrtime.bigint() / 1_000_000n), wallMs: Date.now() }),
};
