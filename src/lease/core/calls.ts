/** What a candidate asks of a store, and what the store answers. Every call is one atomic compare-and-set. */
import type { LeaseRecord, Rival } from './lease-record.ts';
import type { LossReason } from './loss.ts';

export interface Claim {
  readonly name: string;
  /** The name of the candidate, for people and for heirs. */
  readonly id: string;
  /** The same in all repetitions of one claim, so that a repetition finds what the first one did. */
  readonly nonce: string;
  readonly ttlMs: number;
  readonly priority: number;
  readonly process: string;
  /** The nonce of a holder that is proved to be gone: its lease, if it is still that one's, is ended by this call. */
  readonly gone: string | null;
  /**
   * A version that has stood still for the whole ttl of its holder, on the claimant's clock. A store without a clock
   * of its own grants the claim if the version is still this one; a store with a clock pays no heed to it.
   */
  readonly stale: bigint | null;
}

/**
 * ok: the lease runs for `ttlMs` from now, by the store's clock. The token is new, except where this nonce held the
 * lease already: then it is extended and keeps its token.
 */
export type ClaimAnswer =
  | { readonly kind: 'ok'; readonly token: bigint }
  | { readonly kind: 'held'; readonly record: LeaseRecord };

export interface Renewal {
  readonly name: string;
  readonly nonce: string;
  readonly token: bigint;
  readonly ttlMs: number;
}

/**
 * lost: the lease is not this term's any more, or it has expired, whether or not another has taken it since: an expired lease is
 * never renewed. evicted: it is still held, and ends when it ends.
 */
export type RenewalAnswer =
  | { readonly kind: 'ok'; readonly rival: Rival | null; readonly transferTo: string | null }
  | { readonly kind: 'evicted' }
  | { readonly kind: 'lost' };

export interface Release {
  readonly name: string;
  readonly nonce: string;
  readonly token: bigint;
  /** Written into the audit trail as the cause of the term's end. */
  readonly reason: LossReason;
  /** Keeps the lease for this candidate, and no other, for `heirMs`; null for nobody. */
  readonly heir: string | null;
  readonly heirMs: number;
}

/** lost: it was not this term's any more; nothing was changed. */
export type ReleaseAnswer = { readonly kind: 'ok' } | { readonly kind: 'lost' };
