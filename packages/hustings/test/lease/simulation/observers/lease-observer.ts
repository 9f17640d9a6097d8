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

/** The same time on two clocks. It has passed when one of them says so: the store's, or that of a challenger, which is true. */
export interface End {
  readonly trueMs: number;
  readonly storeMs: number;
}

const isPast = (end: End, now: End): boolean => end.trueMs <= now.trueMs || end.storeMs <= now.storeMs;
const after = ({ trueMs, storeMs }: End, ms: number): End => ({ trueMs: trueMs + ms, storeMs: storeMs + ms });

interface ObservedLease {
  readonly nonce: string;
  readonly token: bigint;
  until: End;
  evicted: boolean;
  released: boolean;
}

export class LeaseObserver {
  readonly grants = new Map<bigint, string>();
  #lease: ObservedLease | null = null;
  #largest = 0n;
  #kept: { readonly successor: string; readonly until: End } | null = null;
  #hold: End | null = null;
  /** The candidates that wait, by nonce: the number of their arrival, and until when they are registered. */
  readonly #queue = new Map<string, { arrival: number; priority: number; atMs: number; untilMs: number }>();
  #arrivals = 0;

  constructor(
    private readonly storeHasClock: boolean,
    private readonly isGone: (nonce: string) => boolean,
  ) {}

  claimed(claim: AcquireRequest, answer: AcquireAnswer, now: End): void {
    if (answer.type !== 'ok') {
      this.#arrive(claim, now.storeMs);
      return;
    }
    const { token } = answer;
    const lease = this.#lease;
    if (lease !== null && lease.nonce === claim.nonce && lease.token === token) {
      this.#extend(claim.nonce, token, claim.ttlMs, now);
      return;
    }
    hold(token > this.#largest, 'rising tokens', () => `granted ${token} after ${this.#largest}`);
    if (lease !== null && !lease.released && !isPast(lease.until, now)) {
      const isProved = claim.goneNonce === lease.nonce && this.isGone(lease.nonce);
      hold(
        isProved,
        'one lease',
        () =>
          `${claim.nonce} was granted ${token} with ${lease.until.trueMs - now.trueMs} ms left of ${lease.nonce}'s ${lease.token}`,
      );
    }
    hold(
      this.#hold === null || isPast(this.#hold, now),
      'hold',
      () => `${claim.nonce} was granted ${token} early`,
    );
    this.#hold = claim.holdAtLeastMs === 0 ? null : after(now, claim.holdAtLeastMs);
    const kept = this.#kept;
    if (kept !== null && this.storeHasClock && !isPast(kept.until, now)) {
      hold(
        kept.successor === claim.id,
        'successor',
        () => `${claim.id} was granted what was kept for ${kept.successor}`,
      );
    }
    const isSuccessor = kept !== null && kept.successor === claim.id;
    if (claim.fair && !isSuccessor) this.#checkTurn(claim, now.storeMs);
    this.#queue.delete(claim.nonce);
    this.#kept = null;
    this.#largest = token;
    this.grants.set(token, claim.nonce);
    this.#lease = {
      nonce: claim.nonce,
      token,
      until: after(now, claim.ttlMs),
      evicted: false,
      released: false,
    };
  }

  renewed({ nonce, token, ttlMs }: RenewRequest, now: End): void {
    this.#extend(nonce, token, ttlMs, now);
  }

  released({ nonce, token, successor, reserveMs }: ReleaseRequest, now: End): void {
    const lease = this.#lease;
    hold(
      lease !== null && lease.nonce === nonce && lease.token === token && !lease.released,
      'owner only',
      () => `${nonce} gave back ${token}, while ${lease?.nonce} held ${lease?.token}`,
    );
    lease!.released = true;
    this.#kept = successor === null ? null : { successor, until: after(now, reserveMs) };
  }

  #arrive({ nonce, priority, registerMs }: AcquireRequest, nowMs: number): void {
    const before = this.#queue.get(nonce);
    const arrival = before !== undefined && before.untilMs > nowMs ? before.arrival : ++this.#arrivals;
    this.#queue.set(nonce, { arrival, priority, atMs: nowMs, untilMs: nowMs + registerMs });
  }

  #checkTurn({ nonce, priority }: AcquireRequest, nowMs: number): void {
    const own = this.#queue.get(nonce);
    // A clock that was set back cannot judge what lies in its future.
    const isValid = ({ atMs, untilMs }: { atMs: number; untilMs: number }): boolean =>
      atMs <= nowMs && nowMs < untilMs;
    const arrival = own !== undefined && isValid(own) ? own.arrival : Number.POSITIVE_INFINITY;
    for (const [other, each] of this.#queue) {
      if (other === nonce || !isValid(each)) continue;
      const isFirst = each.priority === priority ? each.arrival < arrival : each.priority > priority;
      hold(!isFirst, 'first come', () => `${nonce} was granted the lease while ${other} waited before it`);
    }
  }

  /** The leases that the store granted run on. Reservations, the queue and times for which a lease is held are lost. */
  forgot(): void {
    this.#queue.clear();
    this.#kept = null;
    this.#hold = null;
  }

  evicted(): void {
    if (this.#lease !== null) this.#lease.evicted = true;
  }

  #extend(nonce: string, token: bigint, ttlMs: number, now: End): void {
    const lease = this.#lease;
    const isCurrent = lease !== null && lease.nonce === nonce && lease.token === token;
    const isAlive = isCurrent && !lease.released && !lease.evicted;
    // A store without a clock cannot judge this, and need not: nobody has acquired the lease yet.
    const hasTime = isCurrent && (!this.storeHasClock || lease.until.storeMs > now.storeMs);
    hold(isAlive && hasTime, 'no revival', () => `${nonce}'s ${token} was extended at ${now.trueMs}`);
    lease!.until = after(now, ttlMs);
  }
}
