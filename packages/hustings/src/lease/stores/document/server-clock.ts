/**
 * The wall clock of a server, estimated from its answers. An answer says what time it was on the server at some moment between
 * the request and the answer, in whole seconds or milliseconds. So each answer bounds the difference between the server's clock
 * and the monotonic clock of this process, and several answers together bound it more closely.
 *
 * Guaranteed, unless the server's clock is set: `now()` is not ahead of that clock, so that no tick is early, and does not go back.
 * It is behind by the distance of the bounds at most: the resolution and a round trip after the first answer. An answer that
 * contradicts the earlier ones, or at first the clock of this machine, counts only if the next answer agrees with it.
 *
 * Not guaranteed: that two processes see the same time. They may have asked servers whose clocks differ.
 */
import { StoreError } from '../../core/store-error.ts';
import type { Clock } from '../../host/process-clock.ts';

/** What the clock of a server needs of the server. */
export interface ClockSource {
  readonly label: string;
  /** The time of the server is rounded down to a multiple of this. */
  readonly clockResolutionMs: number;
  /** `isDoubted`: an answer was not as expected. Ask other servers too, if there are several. */
  clock(isDoubted: boolean): Promise<number>;
}

/** Bounds of the server's wall clock minus the monotonic clock of this process. */
interface Bounds {
  readonly lowMs: number;
  readonly highMs: number;
  /** When the answer came, on the monotonic clock. */
  readonly atMs: number;
  readonly roundTripMs: number;
}

/** An answer serves for this time. Then a clock that was set is noticed. */
const FRESH_MS = 5_000;
/** Two clocks drift apart by at most this part of a second in a second. */
const DRIFT = 0.001;
/** The clock of this machine makes the first answer credible if they differ by less. */
const CREDIBLE_MS = 60_000;
/** Whole seconds are narrowed down to this, and two round trips. */
const NARROW_MS = 100;
const MAX_ANSWERS = 4;

export class ServerClock {
  readonly #source: ClockSource;
  readonly #clock: Clock;
  #bounds: Bounds | null = null;
  #looking: Promise<Bounds> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(source: ClockSource, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
  }

  /** Rejects with a `StoreError`. */
  async now(): Promise<number> {
    const { monoMs } = this.#clock.now();
    const isFresh = this.#bounds !== null && monoMs - this.#bounds.atMs <= FRESH_MS;
    const bounds = isFresh ? this.#bounds! : await this.#look();
    this.#narrow(bounds);
    const afterMs = this.#clock.now().monoMs;
    // The lower bound sinks more slowly than the time passes, so this does not go back.
    return Math.floor(afterMs + drifted(bounds, afterMs).lowMs);
  }

  /** The server's clock minus that of this machine: 0 if they may agree, otherwise the least difference. */
  async offsetMs(): Promise<number> {
    const { lowMs, highMs } = await this.#look();
    const { monoMs, wallMs } = this.#clock.now();
    const own = wallMs - monoMs;
    if (lowMs - own > 1) return Math.round(lowMs - own);
    return highMs - own < -1 ? Math.round(highMs - own) : 0;
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #look(): Promise<Bounds> {
    this.#looking ??= this.#agreed().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  /** An answer that agrees with what is known, or with the answer before it. */
  async #agreed(): Promise<Bounds> {
    let before: Bounds | null = null;
    for (let answers = 0; answers < MAX_ANSWERS; answers++) {
      const found = await this.#ask(answers > 0);
      const known = this.#bounds === null ? this.#credible(found) : both(this.#bounds, found);
      const agreed: Bounds | null = known ?? (before === null ? null : both(before, found));
      if (agreed === null) {
        before = found;
        continue;
      }
      this.#bounds = agreed;
      return agreed;
    }
    const text = 'the clocks of its servers contradict each other, so nothing is due by them; set them right';
    throw new StoreError('busy', `${this.#source.label}: ${text}`);
  }

  async #ask(isDoubted: boolean): Promise<Bounds> {
    const sentMs = this.#clock.now().monoMs;
    const ms = await this.#source.clock(isDoubted);
    const atMs = this.#clock.now().monoMs;
    // The monotonic clock is rounded down as well.
    const highMs = ms + this.#source.clockResolutionMs - sentMs;
    return { lowMs: ms - atMs - 1, highMs, atMs, roundTripMs: atMs - sentMs };
  }

  #credible(found: Bounds): Bounds | null {
    const { monoMs, wallMs } = this.#clock.now();
    const differenceMs = wallMs - monoMs - (found.lowMs + found.highMs) / 2;
    return Math.abs(differenceMs) < CREDIBLE_MS ? found : null;
  }

  /** Asks again when the server's clock begins its next second if the difference is in the middle of the bounds: half remains. */
  #narrow(bounds: Bounds): void {
    const { lowMs, highMs, roundTripMs } = bounds;
    const isNarrow = highMs - lowMs <= NARROW_MS + 2 * roundTripMs;
    if (this.#source.clockResolutionMs <= NARROW_MS || isNarrow || this.#timer !== null || this.#isClosed)
      return;
    const { clockResolutionMs: periodMs } = this.#source;
    const middleMs = this.#clock.now().monoMs + (lowMs + highMs) / 2;
    const look = async (): Promise<void> => {
      // A failure is that of the next caller, who asks too.
      const next = await this.#look().catch(() => null);
      this.#timer = null;
      if (next !== null) this.#narrow(next);
    };
    this.#timer = setTimeout(look, periodMs - (middleMs % periodMs)).unref();
  }
}

/** The bounds at a later time. */
function drifted({ lowMs, highMs, atMs, roundTripMs }: Bounds, nowMs: number): Bounds {
  const driftMs = Math.max(0, nowMs - atMs) * DRIFT;
  return { lowMs: lowMs - driftMs, highMs: highMs + driftMs, atMs: nowMs, roundTripMs };
}

/** What is true by an earlier answer and by this one; null if they contradict each other. */
function both(before: Bounds, found: Bounds): Bounds | null {
  const earlier = drifted(before, found.atMs);
  const lowMs = Math.max(earlier.lowMs, found.lowMs);
  const highMs = Math.min(earlier.highMs, found.highMs);
  return lowMs <= highMs ? { ...found, lowMs, highMs } : null;
}
