/** The requests of a candidate to a store, and the answers. Every request is one atomic compare-and-set. */

import type { EndReason } from './end-reason.ts';
import type { Challenger, LeaseRecord } from './lease-record.ts';

/** A request for the lease. */
export interface AcquireRequest {
  readonly name: string;
  /** The name of the candidate, for people and for transfers. */
  readonly id: string;
  /** The same in all repetitions of one request, so that a repetition finds the lease that the first one obtained. */
  readonly nonce: string;
  readonly ttlMs: number;
  readonly priority: number;
  readonly processProof: string;
  /** The nonce of a holder that has provably ended. If it still holds the lease, this request ends that lease. */
  readonly goneNonce: string | null;
  /**
   * A version that has not changed for the whole TTL of its holder, on the clock of the requesting candidate. A store
   * without a clock grants the lease if the version is still this one. A store with a clock ignores it.
   */
  readonly staleVersion: bigint | null;
}

/**
 * ok: the lease runs for `ttlMs` from now, on the store's clock. The token is new, unless this nonce already held the
 * lease: then the lease is extended and keeps its token. held: another candidate holds the lease, or it is reserved.
 */
export type AcquireAnswer =
  | { readonly type: 'ok'; readonly token: bigint }
  | { readonly type: 'held'; readonly record: LeaseRecord };

/** A request to extend a lease that is held. */
export interface RenewRequest {
  readonly name: string;
  readonly nonce: string;
  readonly token: bigint;
  readonly ttlMs: number;
}

/**
 * lost: this term no longer holds the lease, or the lease has expired, even if no other candidate has acquired it. An
 * expired lease is never renewed. evicted: the lease is still held, and runs to its end.
 */
export type RenewAnswer =
  | { readonly type: 'ok'; readonly challenger: Challenger | null; readonly transferTo: string | null }
  | { readonly type: 'evicted' }
  | { readonly type: 'lost' };

/** A request to end a lease that is held. */
export interface ReleaseRequest {
  readonly name: string;
  readonly nonce: string;
  readonly token: bigint;
  /** Written into the audit trail as the cause of the term's end. */
  readonly reason: EndReason;
  /** Reserves the lease for this candidate alone, for `reserveMs`; null for no reservation. */
  readonly successor: string | null;
  readonly reserveMs: number;
}

/** lost: this term no longer held the lease; nothing was changed. */
export type ReleaseAnswer = { readonly type: 'ok' } | { readonly type: 'lost' };
