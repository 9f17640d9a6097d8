/** The clocks and timers of a process in virtual time: they have a rate, and late timers wait while the process is stopped. */
import type { MemberClock } from '../src/runtime/member-clock.ts';
import type { VirtualTime } from './virtual-time.ts';

export class SimulatedClock implements MemberClock {
  private waiting: (() => void)[] | null = null;
  /** True time during which the machine slept, and since when it sleeps. */
  private sleptMs = 0;
  private sleepsSinceMs: number | null = null;

  constructor(
    private readonly time: VirtualTime,
    private readonly rate: number,
  ) {}

  get isStopped(): boolean {
    return this.waiting !== null;
  }

  get isAsleep(): boolean {
    return this.sleepsSinceMs !== null;
  }

  /** It stands still while the machine sleeps. */
  now(): number {
    return ((this.sleepsSinceMs ?? this.time.nowMs) - this.sleptMs) * this.rate;
  }

  wallMs(): number {
    return this.time.nowMs * this.rate;
  }

  after(delayMs: number, run: () => void): () => void {
    let isCancelled = false;
    let cancel = (): void => {};
    const dueMs = this.now() + delayMs;
    const fire = (): void => {
      if (isCancelled) return;
      const leftMs = dueMs - this.now();
      if (this.waiting !== null) this.waiting.push(fire);
      // A thousandth for the rounding of products.
      else if (leftMs > 0.001) cancel = this.time.after(leftMs / this.rate, fire);
      else run();
    };
    cancel = this.time.after(delayMs / this.rate, fire);
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  stop(): void {
    this.waiting ??= [];
  }

  /** The machine sleeps. */
  sleep(): void {
    this.stop();
    this.sleepsSinceMs ??= this.time.nowMs;
  }

  /** Late timers run in order. */
  resume(): void {
    if (this.sleepsSinceMs !== null) this.sleptMs += this.time.nowMs - this.sleepsSinceMs;
    this.sleepsSinceMs = null;
    const waiting = this.waiting ?? [];
    this.waiting = null;
    for (const fire of waiting) fire();
  }
}
