/** A clock that stands still until the test moves it, with the timers and the random numbers of the electors that use it. */
import type { ClockReading } from '../lease/core/clock-reading.ts';
import { nextRandom } from '../lease/core/prng.ts';
import type { Clock } from '../lease/host/process-clock.ts';
import { turn } from './turn.ts';

interface Timer {
  readonly dueMs: number;
  readonly call: () => void;
}

/** After this number of turns of the event loop without a timer or a call to the store, nothing more is expected. */
const QUIET_TURNS = 20;

export class TestClock implements Clock {
  /** In the order in which they were set: of two that are due together, the earlier one fires first. */
  readonly #timers = new Set<Timer>();
  readonly #startMs: number;
  #monoMs = 0;
  #random: number;
  /** Counts what electors do, so that `settle` knows when they are done. */
  #activity = 0;

  constructor(startMs: number, seed: number) {
    this.#startMs = startMs;
    this.#random = seed;
  }

  now(): ClockReading {
    return { monoMs: this.#monoMs, wallMs: this.#startMs + this.#monoMs };
  }

  setTimeout(call: () => void, delayMs: number): () => void {
    const timer = { dueMs: this.#monoMs + Math.max(0, delayMs), call };
    this.#timers.add(timer);
    this.noteActivity();
    // What is due now does not wait for the test to move the clock: an awaited call to an elector must return.
    if (timer.dueMs <= this.#monoMs) void turn().then(() => this.#fire(timer));
    return () => this.#timers.delete(timer);
  }

  random(): number {
    this.#random = nextRandom(this.#random);
    return this.#random / 2 ** 32;
  }

  noteActivity(): void {
    this.#activity++;
  }

  /** The time until the next timer; null if there is none. */
  get nextMs(): number | null {
    const timer = this.#first();
    return timer === undefined ? null : Math.max(0, timer.dueMs - this.#monoMs);
  }

  /** Moves the clock and fires nothing. */
  move(ms: number): void {
    this.#monoMs += ms;
  }

  /** Fires what is due, one timer after the other, and lets happen what follows from each. */
  async fireDue(): Promise<void> {
    await this.settle();
    for (let timer = this.#first(); timer !== undefined; timer = this.#first()) {
      if (timer.dueMs > this.#monoMs) return;
      this.#fire(timer);
      await this.settle();
    }
  }

  /** Lets electors and their work run until nothing more happens. Fires no timer that was set for later. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
      const before = this.#activity;
      await turn();
      if (this.#activity !== before) quiet = 0;
    }
  }

  #first(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) if (first === undefined || timer.dueMs < first.dueMs) first = timer;
    return first;
  }

  #fire(timer: Timer): void {
    if (!this.#timers.delete(timer)) return;
    this.noteActivity();
    timer.call();
  }
}
