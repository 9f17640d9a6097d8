/** What an elector tells about itself: for logs, metrics, and whoever guards the work. */

import type { ClockReading } from '../lease/core/clock-reading.ts';
import type { EndReason } from '../lease/core/end-reason.ts';
import type { StoreErrorKind } from '../lease/core/store-error-kind.ts';
import type { Lead } from './lead.ts';

export type ElectorEvent =
  /** The term has begun. */
  | { readonly type: 'elected'; readonly lead: Lead }
  /** A renewal was granted: the work must have stopped by the new deadline. `marginMs` is what was left before. */
  | {
      readonly type: 'renewed';
      readonly lead: Lead;
      readonly deadline: ClockReading;
      readonly marginMs: number;
    }
  /** The work was told to stop. */
  | { readonly type: 'stopping'; readonly lead: Lead; readonly reason: EndReason; readonly detail: string }
  /** The lease is about to end, or has ended, and the work still runs. */
  | { readonly type: 'overdue'; readonly lead: Lead }
  /** The work has stopped. `released` is false if the lease could not be given back, and ran out. */
  | { readonly type: 'ended'; readonly lead: Lead; readonly reason: EndReason; readonly released: boolean }
  /** Another leads, or is about to: `holder` is null while the lease is kept for `successor`. */
  | {
      readonly type: 'waiting';
      readonly holder: string | null;
      readonly successor: string | null;
      readonly token: bigint;
      readonly remainingMs: number | null;
    }
  /** The store failed, or did not answer in time: then `error` is null. The elector goes on by itself. */
  | { readonly type: 'store-error'; readonly kind: StoreErrorKind | 'timeout'; readonly error: unknown }
  /** The store answered. */
  | { readonly type: 'answered'; readonly roundTripMs: number }
  /** The event loop came to a timer so much too late. */
  | { readonly type: 'late'; readonly lateMs: number }
  /** Work failed when its term was over already, or had too little left for an assert; any other failure rejects `run`. */
  | { readonly type: 'work-failed'; readonly lead: Lead; readonly error: unknown };
