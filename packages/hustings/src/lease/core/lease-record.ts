import type { LeaderMetadata } from './term-data.ts';

/**
 * The record of one election, as a store reports it. The record outlives every lease: its token is that of the latest term,
 * so the next token is larger even after a release.
 *
 * Times are durations in whole milliseconds, measured by the store when it answered. The wall clocks of two machines are
 * never compared.
 */
export interface LeaseRecord {
  readonly name: string;
  /** The token of the latest term, ended or not; 0 before the first. */
  readonly token: bigint;
  /** Null if nobody holds the lease: it was released, or it has expired on the store's clock. */
  readonly holder: Holder | null;
  /**
   * The rest of the lease, of the reservation for a successor, or of the time that the latest holder asked to be kept free,
   * on the store's clock; 0 if the lease can be acquired. Null if the clock cannot tell, because the store has none or it was
   * set back: then a challenger waits until `version` has not changed for `durationMs` on the challenger's own clock.
   */
  readonly remainingMs: number | null;
  /** For how long the lease, the reservation or the free time was granted; 0 if the lease can be acquired. */
  readonly durationMs: number;
  /** Changes with every write to the record. */
  readonly version: bigint;
  /** The candidate for which a free lease is reserved, by its `id`; null without a reservation. */
  readonly successor: string | null;
  /** What the holder tells about itself; null without a holder, or if it tells nothing. */
  readonly metadata: LeaderMetadata | null;
  /** What the latest holder that wrote a checkpoint has left for its successors; null for nothing. */
  readonly checkpoint: string | null;
}

/** The candidate that holds a lease. */
export interface Holder {
  /** The name of the candidate, for people. Two candidates may share it. */
  readonly id: string;
  /** Identifies one attempt of one process. No two attempts share a nonce. */
  readonly nonce: string;
  /** The TTL that the holder asked for. Others wait for this TTL, not for their own. */
  readonly ttlMs: number;
  readonly priority: number;
  /** Proves to others on the same host that the holder has ended; '' without such a proof. */
  readonly processProof: string;
  /** The lease may not be renewed. It is held until it ends. */
  readonly evicted: boolean;
}

/** A waiting candidate of higher priority than the holder, if it asked within its own TTL. */
export interface Challenger {
  readonly id: string;
  readonly priority: number;
  /** How long it has been waiting, on the store's clock. */
  readonly waitedMs: number;
}

/** A candidate that waits for the lease, and has asked for it lately. */
export interface WaitingCandidate {
  readonly id: string;
  readonly nonce: string;
  readonly priority: number;
  /** Since its last registered request, on the store's clock. A store may register only every second request. */
  readonly seenMs: number;
}
