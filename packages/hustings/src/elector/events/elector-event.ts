/** The events of an elector, for logs, metrics, and supervisors. One word per moment, the same as in the core. */
import type { ClockReading } from '../../lease/core/clock-reading.ts';
import type { EndReason, LossReason } from '../../lease/core/end-reason.ts';
import type { StoreErrorKind } from '../../lease/core/store-error.ts';
import type { LeaderMetadata } from '../../lease/core/term-data.ts';
import type { Lead } from '../lead.ts';

/** `JSON.stringify` writes tokens as decimal text, and errors with their message. */
export type ElectorEvent =
  /** Another candidate leads, or the lease is reserved for `successor`: then `holder` is null. */
  | {
      readonly type: 'waiting';
      readonly holder: string | null;
      readonly successor: string | null;
      readonly token: bigint;
      /** On the store's clock; null if the store has none. */
      readonly remainingMs: number | null;
      /** What the leader tells about itself; null for nothing. */
      readonly metadata: LeaderMetadata | null;
    }
  /** The holder of a slot was given another number of slots. This candidate waits until that slot is free. */
  | {
      readonly type: 'slots-differ';
      readonly holder: string;
      readonly theirs: number;
      readonly own: number;
    }
  /** A term has begun. */
  | { readonly type: 'elected'; readonly lead: Lead }
  /** A renewal was granted: `deadline` has moved. `marginMs` was left before. */
  | {
      readonly type: 'renewed';
      readonly lead: Lead;
      readonly deadline: ClockReading;
      readonly marginMs: number;
    }
  /** This candidate gives the lease up by choice: its work has returned, or is told to stop. */
  | {
      readonly type: 'stopping';
      readonly lead: Lead;
      readonly reason: Exclude<EndReason, LossReason>;
      readonly detail: string;
    }
  /** The lease is lost, not by choice: the work is told to stop. */
  | { readonly type: 'lost'; readonly lead: Lead; readonly reason: LossReason; readonly detail: string }
  /** The lease is about to expire, or has expired, and the work still runs. */
  | { readonly type: 'overdue'; readonly lead: Lead }
  /**
   * The term has ended and its work has stopped. `released` is false if the lease could not be released, and expires.
   * `cooldownMs` is how long the candidate stays out of the election; 0 unless it was evicted.
   */
  | {
      readonly type: 'ended';
      readonly lead: Lead;
      readonly reason: EndReason;
      readonly released: boolean;
      readonly cooldownMs: number;
      /** How many terms in a row have ended within a second because the work returned. */
      readonly briefTerms: number;
    }
  /** The work threw after its term had ended, or had too little left for an assert. */
  | { readonly type: 'work-failed'; readonly lead: Lead; readonly error: unknown }
  /** The work of a tick of the schedule starts. */
  | { readonly type: 'tick-started'; readonly lead: Lead; readonly tickMs: number }
  /** The work of a tick has settled. An interrupted one lost its lease meanwhile. `error` is null unless the work threw. */
  | {
      readonly type: 'tick-ended';
      readonly lead: Lead;
      readonly tickMs: number;
      readonly state: 'completed' | 'failed' | 'interrupted';
      readonly error: unknown;
    }
  /**
   * The newest recorded tick lies ahead of the store's clock, by `aheadMs` and more than a period: a clock was wrong when it was
   * recorded, or is wrong now. No tick starts before that time, unless `resetTicks` of the store removes the record. `aheadMs` is 0
   * when the leader that told it finds it no longer so.
   */
  | { readonly type: 'tick-ahead'; readonly lead: Lead; readonly tickMs: number; readonly aheadMs: number }
  /** A call to the store failed or timed out, the first one since the store answered. The elector retries. */
  | { readonly type: 'store-error'; readonly kind: StoreErrorKind | 'timeout'; readonly error: unknown }
  /** The store answers again. `errors` calls have failed, the first one `afterMs` ago. */
  | { readonly type: 'store-recovered'; readonly errors: number; readonly afterMs: number }
  /** The store has answered a call. */
  | { readonly type: 'answered'; readonly roundTripMs: number }
  /** The event loop ran a timer late. */
  | { readonly type: 'late'; readonly lateMs: number };
