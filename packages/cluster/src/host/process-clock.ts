/** The clocks and timers of this process. */
import type { MemberClock } from '../runtime/member-clock.ts';

/** The longest delay of a timer of Node. */
const LONGEST_MS = 2 ** 31 - 1;

export const PROCESS_CLOCK: MemberClock = {
  now: () => performance.now(),
  wallMs: () => Date.now(),
  after(delayMs, run) {
    const dueMs = performance.now() + delayMs;
    // A timer of Node counts whole milliseconds, and may fire up to one too early.
    const fire = (): void => {
      const leftMs = dueMs - performance.now();
      if (leftMs > 0) timer = setTimeout(fire, Math.min(Math.ceil(leftMs), LONGEST_MS));
      else run();
    };
    let timer = setTimeout(fire, Math.min(delayMs, LONGEST_MS));
    return () => clearTimeout(timer);
  },
};
