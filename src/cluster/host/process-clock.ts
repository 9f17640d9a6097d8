/** The clocks and timers of this process. */
import type { MemberClock } from '../runtime/member-clock.ts';

export const PROCESS_CLOCK: MemberClock = {
  now: () => performance.now(),
  wallMs: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
