/** The requests of a candidate to a store, and the answers. Every request is one atomic compare-and-set. */

import type { EndReason } from './end-reason.ts';
import type { Challenger, LeaseRecord } from './lease-record.ts';
import type { LeaderMetadata, TermUpdate } from './term-data.ts';

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
   * A version that has not changed for the `durationMs` of its record, on the clock of the requesting candidate. Where the store's
   * clock cannot judge the lease, the store grants it if the version is still this one; elsewhere it is ignored.
   */
  readonly staleVersion: bigint | null;
  /** No new term begins for this time after the grant, even if this one ends earlier; 0 for no such time. */
  readonly holdAtLeastMs: number;
  /** If the lease is held, the candidate is registered as waiting for this time; 0 for no registration. */
  readonly registerMs: number;
  /**
   * Fair order: a lease that is free is granted only if no registered candidate comes before this one, by priority and then by
   * the time of its registration. A reservation for a successor comes before that order.
   */
  readonly fair?: boolean;
  /** The metadata of the term that the request begins; none by default. */
  readonly metadata?: LeaderMetadata;
}

/**
 * ok: the lease runs for `ttlMs` from now, on the store's clock. The token is new, unless this nonce already held the
 * lease: then the lease is extended and keeps its token. `checkpoint` is what earlier holders have left; null for nothing.
 * `ageMs`: the lease has run for this time already, so that it ends earlier by as much; absent for 0.
 * held: another candidate holds the lease, or it is reserved. `ahead`: it can be acquired, but in fair order it is the turn of
 * the candidate with this id.
 */
export type AcquireAnswer =
  | {
      readonly type: 'ok';
      readonly token: bigint;
      readonly checkpoint: string | null;
      readonly ageMs?: number;
    }
  | { readonly type: 'held'; readonly record: LeaseRecord; readonly ahead?: string };

/** A request to extend a lease that is held. */
export interface RenewRequest {
  readonly name: string;
  readonly nonce: string;
  readonly token: bigint;
  readonly ttlMs: number;
  /** Takes effect if the lease is extended, and if no update of this term with this or a larger number has. */
  readonly update?: TermUpdate;
}

/**
 * ok: as the answer to an acquire request, with its `ageMs`. lost: this term no longer holds the lease, or the lease has expired, even if no other candidate has acquired it. An
 * expired lease is never renewed. evicted: the lease runs to its end, or nobody has acquired it since; the candidate then stays
 * out of the election for `cooldownMs`.
 */
export type RenewAnswer =
  | {
      readonly type: 'ok';
      readonly challenger: Challenger | null;
      readonly transferTo: string | null;
      readonly ageMs?: number;
    }
  | { readonly type: 'evicted'; readonly cooldownMs: number }
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
  /** Replaces the checkpoint; '' removes it. Absent: it stays. */
  readonly checkpoint?: string;
}

/**
 * evicted: the lease is released, and the candidate, which has not heard of its eviction before, stays out of the election
 * for `cooldownMs`. lost: this term no longer held the lease; nothing was changed.
 */
export type ReleaseAnswer =
  | { readonly type: 'ok' }
  | { readonly type: 'evicted'; readonly cooldownMs: number }
  | { readonly type: 'lost' };

/** A candidate that was registered as waiting gives up. */
export interface WithdrawRequest {
  readonly name: string;
  readonly nonce: string;
}

/** not-held: nobody holds the lease. unknown-candidate: no waiting candidate is registered under that id. */
export type TransferAnswer = 'requested' | 'not-held' | 'unknown-candidate';
