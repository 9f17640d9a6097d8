/**
 * Timers stand still while a machine sleeps. So the clocks are compared once a second, and every leader of the process looks
 * at its deadlines when they have moved apart: within a second of waking. While they run alike, the timer of each leader covers
 * both. One comparison serves all leaders: with a look each, a thousand leases would cost as much again as their renewals.
 */
import { LOOK_EVERY_MS } from '../../lease/core/candidate-queries.ts';
import type { Clock } from '../../lease/host/process-clock.ts';
import { startTimer } from '../timeouts.ts';

/** Two readings of clocks that run alike differ by rounding. */
const ROUNDING_MS = 1;

class ClockLook {
  readonly looks = new Set<() => void>();
  /** The wall clock minus the monotonic clock at the latest look. The first comparison always looks. */
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
      // Before the looks, one of which may stop it.
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
    for (const look of this.looks) look();
  }
}

const ofClock = new Map<Clock, ClockLook>();

/** Calls `look` within a second of a change between the two clocks, until the function that it returns is called. */
export function lookAfterSleep(clock: Clock, look: () => void): () => void {
  const clockLook = ofClock.get(clock) ?? new ClockLook(clock);
  ofClock.set(clock, clockLook);
  clockLook.looks.add(look);
  return () => {
    clockLook.looks.delete(look);
    if (clockLook.looks.size > 0 || ofClock.get(clock) !== clockLook) return;
    clockLook.stop();
    ofClock.delete(clock);
  };
}
