/** The clocks of this machine. `monoMs` is one clock for all processes of a host. */
import type { Now } from '../lease/core/lease-event.ts';

export interface Clock {
  now(): Now;
}

export const hostClock: Clock = {
  now: () => ({ monoMs: Number(process.hrtime.bigint() / 1_000_000n), wallMs: Date.now() }),
};
