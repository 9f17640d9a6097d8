/**
 * The two clocks of a simulated machine, as functions of true time. Both may run at a wrong rate, the wall clock may be set,
 * and the monotonic clock stops while the machine sleeps. Readings are whole milliseconds, rounded down.
 */
import type { Random } from '../../../../../study/src/kernel/random.ts';
import type { ClockReading } from '../../../../src/lease/core/clock-reading.ts';

export interface ClockRates {
  readonly mono: number;
  readonly wall: number;
}

/** As often slow as fast, and more often much than little. Mostly the same rate, because one oscillator drives both. */
export function drawRates(
  random: Random,
  range: { readonly least: number; readonly most: number },
): ClockRates {
  const draw = (): number => {
    const end = random.chance(0.5) ? range.least : range.most;
    return 1 + Math.sqrt(random.unit()) * (end - 1);
  };
  const mono = draw();
  const wall = draw();
  return { mono, wall: random.chance(0.7) ? mono : wall };
}

export class VirtualClock {
  #sinceMs = 0;
  #sleeps = false;

  constructor(
    private monoMs: number,
    private wallMs: number,
    private rates: ClockRates,
  ) {}

  now(trueMs: number): ClockReading {
    const passedMs = trueMs - this.#sinceMs;
    return {
      monoMs: Math.floor(this.#sleeps ? this.monoMs : this.monoMs + passedMs * this.rates.mono),
      wallMs: Math.floor(this.wallMs + passedMs * this.rates.wall),
    };
  }

  setRates(rates: ClockRates, trueMs: number): void {
    this.#settle(trueMs);
    this.rates = rates;
  }

  stepWall(byMs: number, trueMs: number): void {
    this.#settle(trueMs);
    this.wallMs += byMs;
  }

  sleep(trueMs: number): void {
    this.#settle(trueMs);
    this.#sleeps = true;
  }

  wake(trueMs: number): void {
    this.#settle(trueMs);
    this.#sleeps = false;
  }

  /** The first whole millisecond of true time at which the monotonic clock shows `monoMs`; null while the clock is stopped. */
  whenMono(monoMs: number, trueMs: number): number | null {
    if (this.#sleeps) return null;
    let atMs = Math.max(trueMs, this.#sinceMs + Math.ceil((monoMs - this.monoMs) / this.rates.mono));
    while (this.now(atMs).monoMs < monoMs) atMs++;
    return atMs;
  }

  #settle(trueMs: number): void {
    const passedMs = trueMs - this.#sinceMs;
    if (!this.#sleeps) this.monoMs += passedMs * this.rates.mono;
    this.wallMs += passedMs * this.rates.wall;
    this.#sinceMs = trueMs;
  }
}
