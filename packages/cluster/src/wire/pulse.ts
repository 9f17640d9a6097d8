/**
 * When a connection sends a heartbeat, and when it counts as broken because nothing arrives.
 *
 * An idle process is woken by each frame and by each timer, which costs more than the frame. So one side of a connection
 * begins: it sends its heartbeats a tenth early, and the other side answers with its own. It begins at multiples of that time
 * since 1970, on all its connections and in all processes whose clocks agree: a process is woken a few times for all frames of
 * a heartbeat. Clocks that do not agree cost wakes, and nothing else. The side that answers looks after a heartbeat, at
 * multiples of a tenth.
 */

export interface PulseOptions {
  readonly heartbeatMs: number;
  /** A connection on which nothing arrives for this long is closed. */
  readonly silenceMs: number;
}

/** Parts of a heartbeat. */
const GRID = 10;

export class Pulse {
  #sentAt: number;
  #receivedAt: number;
  #checkedAt: number;

  constructor(
    private readonly options: PulseOptions,
    private readonly begins: boolean,
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

  /** Whether to answer a heartbeat with one. */
  isAnswerDue(nowMs: number): boolean {
    return !this.begins && nowMs - this.#sentAt >= this.options.heartbeatMs / 2;
  }

  /** What to do now. */
  check(nowMs: number): { readonly isDue: boolean; readonly isSilent: boolean } {
    const { heartbeatMs, silenceMs } = this.options;
    // This process was stopped or busy: what arrived meanwhile has not been read yet.
    if (nowMs - this.#checkedAt > heartbeatMs + silenceMs / 2) this.#receivedAt = nowMs;
    this.#checkedAt = nowMs;
    return { isDue: nowMs >= this.#dueAt, isSilent: nowMs - this.#receivedAt >= silenceMs };
  }

  /** When to ask again. */
  waitMs(nowMs: number): number {
    return Math.max(1, this.#dueAt - nowMs);
  }

  get #dueAt(): number {
    const { heartbeatMs } = this.options;
    const stepMs = heartbeatMs / GRID;
    if (!this.begins) return Math.ceil((this.#sentAt + heartbeatMs) / stepMs) * stepMs;
    const beginMs = heartbeatMs - stepMs;
    return (Math.floor(this.#sentAt / beginMs) + 1) * beginMs;
  }
}

export const FIRST_RETRY_MS = 50;
export const LAST_RETRY_MS = 1_000;

/** Exponential back-off with jitter: between half of the step and the whole. `random` is in [0, 1). */
export function retryAfterMs(failures: number, random: number): number {
  const step = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 20));
  return step * (0.5 + random / 2);
}
