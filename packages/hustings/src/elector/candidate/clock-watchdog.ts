/**
 * Timers do not run while a machine is suspended. So the clocks are compared once a second, and every leader of the process
 * checks its deadlines when they have moved apart: within a second of the end of the suspension. While they run alike, the timer
 * of each leader covers both. One comparison serves all leaders: with a comparison each, a thousand leases would cost as much
 * again as their renewals.
 */
import { LOOK_EVERY_MS } from '../../lease/core/candidate-queries.ts';
import type { Clock } from '../../lease/host/process-clock.ts';
import { startTimer } from '../timeouts.ts';

/** Two readings of clocks that run alike differ by rounding. */
const ROUNDING_MS = 1;

class ClockWatchdog {
  readonly checks = new Set<() => void>();
  /** The wall clock minus the monotonic clock at the latest comparison. The first comparison always calls the checks. */
  private apartMs = Number.NaN;
  private cancel = (): void => {};

  constructor(private readonly clock: Clock) {
    this.wait();
  }

  stop(): void {
    this.cancel();
  }

  private wait(): void {
    const next = (): void => {
      // Before the checks, one of which may stop it.
      this.wait();
      this.compare();
    };
    this.cancel = startTimer(this.clock, next, LOOK_EVERY_MS, { keepsAlive: false });
  }

  private compare(): void {
    const { monoMs, wallMs } = this.clock.now();
    const apartMs = wallMs - monoMs;
    if (Math.abs(apartMs - this.apartMs) <= ROUNDING_MS) return;
    this.apartMs = apartMs;
    for (const check of this.checks) check();
  }
}

const watchdogs = new Map<Clock, ClockWatchdog>();

/** Calls `check` within a second of a change between the two clocks, until the function that it returns is called. */
export function checkClocksAfterSleep(clock: Clock, check: () => void): () => void {
  const watchdog = watchdogs.get(clock) ?? new ClockWatchdog(clock);
  watchdogs.set(clock, watchdog);
  watchdog.checks.add(check);
  return () => {
    watchdog.checks.delete(check);
    if (watchdog.checks.size > 0 || watchdogs.get(clock) !== watchdog) return;
    watchdog.stop();
    watchdogs.delete(clock);
  };
}
