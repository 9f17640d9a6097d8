/**
 * Selects one of several equal servers. A request uses the chosen server and reports a failure. It moves the choice on only if
 * that server is still the chosen one: requests that failed together must not move it back to the server that failed.
 *
 * An attempt has a share of the time of its request, so that a server that accepts connections and is silent costs a fraction
 * of a TTL. A server that failed lately is chosen when all have: perhaps they are slow. Then an attempt has all of the time.
 */

/** A server that failed within this time is tried after the others. */
const LATELY_MS = 10_000;
/** A server that answers within this time is not passed over. */
const LEAST_SHARE_MS = 250;
const MOST_SHARE_MS = 1_000;

export class ServerChoice {
  readonly count: number;
  readonly #failedAtMs: number[];
  readonly #nowMs: () => number;
  #chosen = 0;

  constructor(count: number, nowMs: () => number = () => performance.now()) {
    this.count = count;
    this.#failedAtMs = Array.from({ length: count }, () => Number.NEGATIVE_INFINITY);
    this.#nowMs = nowMs;
  }

  /** The place of the server that the next attempt uses. */
  get chosen(): number {
    return this.#chosen;
  }

  /** The time limit of an attempt at the chosen server. `usefulMs`: the caller has given up the request after that time. */
  attemptMs(requestMs: number, usefulMs = requestMs): number {
    if (this.count === 1 || this.#isBad(this.#chosen)) return requestMs;
    const shareMs = Math.ceil(Math.min(requestMs, usefulMs) / this.count);
    return Math.min(requestMs, MOST_SHARE_MS, Math.max(LEAST_SHARE_MS, shareMs));
  }

  failed(server: number): void {
    this.#failedAtMs[server] = this.#nowMs();
    if (server !== this.#chosen) return;
    const after = this.#failedAtMs.map((_, step) => (server + 1 + step) % this.count);
    const oldest = (a: number, b: number): number => (this.#failedAtMs[b] < this.#failedAtMs[a] ? b : a);
    this.#chosen = after.find((each) => !this.#isBad(each)) ?? after.reduce(oldest);
  }

  #isBad(server: number): boolean {
    return this.#nowMs() - this.#failedAtMs[server] < LATELY_MS;
  }
}
