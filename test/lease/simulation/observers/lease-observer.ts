/**
 * Observes every request that the store grants, without access to the store's row: the holder and the end of each lease follow
 * from the grants alone. Checks P1, P3 and the rules of extension, release, eviction and reservation.
 */
import type {
  AcquireAnswer,
  AcquireRequest,
  ReleaseRequest,
  RenewRequest,
} from '../../../../src/lease/core/calls.ts';
import { hold } from './invariant.ts';

interface ObservedLease {
  readonly nonce: string;
  readonly token: bigint;
  untilMs: number;
  evicted: boolean;
  released: boolean;
}

export class LeaseObserver {
  readonly grants = new Map<bigint, string>();
  #lease: ObservedLease | null = null;
  #largest = 0n;
  #kept: { readonly successor: string; readonly untilMs: number } | null = null;

  constructor(
    private readonly storeHasClock: boolean,
    private readonly isGone: (nonce: string) => boolean,
  ) {}

  claimed(claim: AcquireRequest, answer: AcquireAnswer, nowMs: number): void {
    if (answer.type !== 'ok') return;
    const { token } = answer;
    const lease = this.#lease;
    if (lease !== null && lease.nonce === claim.nonce && lease.token === token) {
      this.#extend(claim.nonce, token, claim.ttlMs, nowMs);
      return;
    }
    hold(token > this.#largest, 'rising tokens', () => `granted ${token} after ${this.#largest}`);
    if (lease !== null && !lease.released && lease.untilMs > nowMs) {
      const isProved = claim.goneNonce === lease.nonce && this.isGone(lease.nonce);
      hold(
        isProved,
        'one lease',
        () =>
          `${claim.nonce} was granted ${token} with ${lease.untilMs - nowMs} ms left of ${lease.nonce}'s ${lease.token}`,
      );
    }
    const kept = this.#kept;
    if (kept !== null && this.storeHasClock && kept.untilMs > nowMs) {
      hold(
        kept.successor === claim.id,
        'successor',
        () => `${claim.id} was granted what was kept for ${kept.successor}`,
      );
    }
    this.#kept = null;
    this.#largest = token;
    this.grants.set(token, claim.nonce);
    this.#lease = {
      nonce: claim.nonce,
      token,
      untilMs: nowMs + claim.ttlMs,
      evicted: false,
      released: false,
    };
  }

  renewed({ nonce, token, ttlMs }: RenewRequest, nowMs: number): void {
    this.#extend(nonce, token, ttlMs, nowMs);
  }

  released({ nonce, token, successor, reserveMs }: ReleaseRequest, nowMs: number): void {
    const lease = this.#lease;
    hold(
      lease !== null && lease.nonce === nonce && lease.token === token && !lease.released,
      'owner only',
      () => `${nonce} gave back ${token}, while ${lease?.nonce} held ${lease?.token}`,
    );
    lease!.released = true;
    this.#kept = successor === null ? null : { successor, untilMs: nowMs + reserveMs };
  }

  evicted(): void {
    if (this.#lease !== null) this.#lease.evicted = true;
  }

  #extend(nonce: string, token: bigint, ttlMs: number, nowMs: number): void {
    const lease = this.#lease;
    const isCurrent = lease !== null && lease.nonce === nonce && lease.token === token;
    const isAlive = isCurrent && !lease.released && !lease.evicted;
    // A store without a clock cannot judge this, and need not: nobody has acquired the lease yet.
    const hasTime = isCurrent && (!this.storeHasClock || lease.untilMs > nowMs);
    hold(isAlive && hasTime, 'no revival', () => `${nonce}'s ${token} was extended at ${nowMs}`);
    lease!.untilMs = nowMs + ttlMs;
  }
}
