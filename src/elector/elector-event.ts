/** What an elector tells about itself: for logs, metrics, and whoever guards the work. */
import type { Now } from '../lease/core/lease-event.ts';
import type { LossReason } from '../lease/core/loss.ts';
import type { Lead } from './lead.ts';

export type ElectorEvent =
  /** The term has begun. */
  | { readonly type: 'elected'; readonly lead: Lead }
  /** A renewal was granted: the work must have stopped by the new deadline. `marginMs` is what was left before. */
  | { readonly type: 'renewed'; readonly lead: Lead; readonly deadline: Now; readonly marginMs: number }
  /** The work was told to stop. */
  | { readonly type: 'lost'; readonly lead: Lead; readonly reason: LossReason; readonly detail: string }
  /** The lease is about to end, or has ended, and the work still runs. */
  | { readonly type: 'overdue'; readonly lead: Lead }
  /** The work has stopped. `released` is false if the lease could not be given back, and ran out. */
  | { readonly type: 'over'; readonly lead: Lead; readonly reason: LossReason; readonly released: boolean }
  /** Another leads, or is about to: `holder` is null while the lease is kept for `heir`. */
  | {
      readonly type: 'waiting';
      readonly holder: string | null;
      readonly heir: string | null;
      readonly token: bigint;
      readonly remainingMs: number | null;
    }
  /** The store failed, or did not answer in time: then `error` is null. The elector goes on by itself. */
  | { readonly type: 'trouble'; readonly failure: string; readonly error: unknown }
  /** The store answered. */
  | { readonly type: 'answered'; readonly roundTripMs: number }
  /** The event loop came to a timer so much too late. */
  | { readonly type: 'late'; readonly lateMs: number }
  /** Work failed when its term was over already, or had too little left for an assert; any other failure rejects `run`. */
  | { readonly type: 'work-failed'; readonly lead: Lead; readonly error: unknown };
