/**
 * Selects one of several equal servers. A request uses the chosen server and reports a failure. It moves the choice on only if
 * that server is still the chosen one: requests that failed together must not move it back to the server that failed.
 *
 * An attempt has a share of the time of its request, so that a server that accepts connections and is silent costs a fraction
 * of a TTL. A server that failed lately is chosen when all have: perhaps they are slow. Then an attempt has all of the time.
 */
import { type HttpError, TOO_MANY_WAIT } from './http-client.ts';

/** A server that failed within this time is tried after the others. */
const LATELY_MS = 10_000;
/** A server that answers within this time is not passed over. */
const MIN_SHARE_MS = 250;
const MAX_SHARE_MS = 1_000;

/** A request that any of the servers can answer. */
export interface SharedRequest<Answer> {
  readonly timeoutMs: number;
  /** The caller has given up the request after this time. */
  readonly usefulMs?: number | undefined;
  /** Rejects with an `HttpError`. */
  send(server: number, timeoutMs: number): Promise<Answer>;
  /** Whether the next server may be asked after this failure. */
  mayRepeat(failure: HttpError): boolean;
}

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
  attemptMs(timeoutMs: number, usefulMs = timeoutMs): number {
    if (this.count === 1 || this.#isBad(this.#chosen)) return timeoutMs;
    const shareMs = Math.ceil(Math.min(timeoutMs, usefulMs) / this.count);
    return Math.min(timeoutMs, MAX_SHARE_MS, Math.max(MIN_SHARE_MS, shareMs));
  }

  /** Asks the chosen server, then the next ones. The last has all of the time that is left. */
  async ask<Answer>({ timeoutMs, usefulMs, send, mayRepeat }: SharedRequest<Answer>): Promise<Answer> {
    const startMs = this.#nowMs();
    for (let attempt = 1; ; attempt++) {
      const server = this.#chosen;
      const leftMs = Math.ceil(timeoutMs - (this.#nowMs() - startMs));
      const isLast = attempt > 1 && attempt >= this.count;
      try {
        return await send(server, Math.max(1, isLast ? leftMs : this.attemptMs(timeoutMs, usefulMs)));
      } catch (error) {
        const failure = error as HttpError;
        // The requests of this process are too many: no fault of the server.
        if (failure.code === TOO_MANY_WAIT) throw failure;
        this.failed(server);
        if (attempt >= this.count || leftMs <= 0 || !mayRepeat(failure)) throw failure;
      }
    }
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
