/**
 * What the server tells the page about an election: only what the store has said. Tokens are decimal text. Times are
 * milliseconds since 1970 on the store's clock.
 */
import type { EndCause } from 'hustings/internal/lease/core/end-reason';
import type { DemoSnapshot } from './demo-snapshot.ts';

/** One term of the history. */
export interface ElectionTerm {
  readonly token: string;
  readonly holder: string;
  readonly startMs: number;
  /** Null while the term lasts. */
  readonly endMs: number | null;
  readonly cause: EndCause | null;
  /** Until when the store has granted the lease. */
  readonly grantedUntilMs: number;
}

/** A candidate that leads. */
export interface LedElection {
  readonly type: 'led';
  readonly holder: string;
  readonly token: string;
  /** Null if the history no longer has the term. */
  readonly sinceMs: number | null;
  /** Null if the store has no clock. */
  readonly remainingMs: number | null;
  readonly ttlMs: number;
  /** The leader may not renew its lease. */
  readonly evicted: boolean;
}

/** Nobody leads. */
export interface VacantElection {
  readonly type: 'vacant';
  /** The token of the latest term; '0' before the first. */
  readonly token: string;
  /** The candidate for which the lease is reserved, if any. */
  readonly successor: string | null;
}

/** A candidate that waits. */
export interface WaitingView {
  readonly id: string;
  readonly priority: number;
}

/** The store could be read. */
export interface KnownElection {
  readonly type: 'known';
  readonly name: string;
  /** When the store was read, on its own clock. */
  readonly nowMs: number;
  readonly leader: LedElection | VacantElection;
  readonly candidates: readonly WaitingView[];
  /** The newest terms, newest first. */
  readonly terms: readonly ElectionTerm[];
  /** Terms that overlap, or whose tokens do not increase: none, unless a promise of the store was broken. */
  readonly conflicts: number;
}

/** The store has no election. */
export interface NoElection {
  readonly type: 'none';
}

/** The store cannot be read, so the leader is unknown. */
export interface UnknownElection {
  readonly type: 'unknown';
  /** What is wrong and what to do, without secrets. */
  readonly reason: string;
}

/** One message of the stream. */
export type LeaseSnapshot =
  /** The demo has not been started. */
  | { readonly type: 'closed' }
  | {
      readonly type: 'open';
      /** The URL without user, password and query. */
      readonly store: string;
      /** All elections of the store, sorted; those of the last read if the store cannot be read now. */
      readonly elections: readonly string[];
      readonly election: KnownElection | NoElection | UnknownElection;
      /** Null if the store belongs to the user. */
      readonly demo: DemoSnapshot | null;
    };

/** Who led at an instant, and in the terms around it. */
export interface LedAt {
  readonly atMs: number;
  readonly term: ElectionTerm | null;
  readonly before: ElectionTerm | null;
  readonly after: ElectionTerm | null;
}
