/** When a connection sends a heartbeat, and when it counts as broken because nothing arrives. */

export interface PulseOptions {
  readonly heartbeatMs: number;
  /** A connection on which nothing arrives for this long is closed. */
  readonly silenceMs: number;
}

export class Pulse {
  #sentAt: number;
  #receivedAt: number;
  #checkedAt: number;

  constructor(
    private readonly options: PulseOptions,
    nowMs: number,
  ) {
    this.#sentAt = this.#receivedAt = this.#checkedAt = nowMs;
  }

  sent(nowMs: number): void {
    this.#sentAt = nowMs;
  }

  received(nowMs: number): void {
    this.#receivedAt = nowMs;
  }

  /** What to do now, and when to ask again. */
  check(nowMs: number): { readonly isDue: boolean; readonly isSilent: boolean; readonly afterMs: number } {
    const { heartbeatMs, silenceMs } = this.options;
    // This process was stopped or busy: what arrived meanwhile has not been read yet.
    if (nowMs - this.#checkedAt > heartbeatMs + silenceMs / 2) this.#receivedAt = nowMs;
    this.#checkedAt = nowMs;
    const isDue = nowMs - this.#sentAt >= heartbeatMs;
    const afterMs = isDue ? heartbeatMs : heartbeatMs - (nowMs - this.#sentAt);
    return { isDue, isSilent: nowMs - this.#receivedAt >= silenceMs, afterMs };
  }
}

export const FIRST_RETRY_MS = 50;
export const LAST_RETRY_MS = 2_000;

/** Exponential back-off with jitter: between half of the step and the whole. `random` is in [0, 1). */
export function retryAfterMs(failures: number, random: number): number {
  const step = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 20));
  return step * (0.5 + random / 2);
}
