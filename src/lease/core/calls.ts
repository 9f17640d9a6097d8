/** What a candidate asks of a store, and what the store answers. Every call is one atomic compare-and-set. */

import type { EndReason } from './end-reason.ts';
import type { Challenger, LeaseRecord } from './lease-record.ts';

export interface AcquireRequest {
  readonly name: string;
  /** The name of the candidate, for people and for successors. */
  readonly id: string;
  /** The same in all repetitions of one claim, so that a repetition finds what the first one did. */
  readonly nonce: string;
  readonly ttlMs: number;
  readonly priority: number;
  readonly processProof: string;
  /** The nonce of a holder that is proved to be gone: its lease, if it is still that one's, is ended by this call. */
  readonly goneNonce: string | null;
  /**
   * A version that has stood still for the whole ttl of its holder, on the claimant's clock. A store without a clock
   * of its own grants the claim if the version is still this one; a store with a clock pays no heed to it.
   */
  readonly staleVersion: bigint | null;
}

/**
 * ok: the lease runs for `ttlMs` from now, by the store's clock. The token is new, except where this nonce held the
 * lease already: then it is extended and keeps its token.
 */
export type AcquireAnswer =
  | { readonly type: 'ok'; readonly token: bigint }
  | { readonly type: 'held'; readonly record: LeaseRecord };

export interface RenewRequest {
  readonly name: string;
  readonly nonce: string;
  readonly token: bigint;
  readonly ttlMs: number;
}

/**
 * lost: the lease is not this term's any more, or it has expired, whether or not another has taken it since: an expired lease is
 * never renewed. evicted: it is still held, and ends when it ends.
 */
export type RenewAnswer =
  | { readonly type: 'ok'; readonly challenger: Challenger | null; readonly transferTo: string | null }
  | { readonly type: 'evicted' }
  | { readonly type: 'lost' };

export interface ReleaseRequest {
  readonly name: string;
  readonly nonce: string;
  readonly token: bigint;
  /** Written into the audit trail as the cause of the term's end. */
  readonly reason: EndReason;
  /** Keeps the lease for this candidate, and no other, for `reserveMs`; null for nobody. */
  readonly successor: string | null;
  readonly reserveMs: number;
}

/** lost: it was not this term's any more; nothing was changed. */
export type ReleaseAnswer = { readonly type: 'ok' } | { readonly type: 'lost' };
