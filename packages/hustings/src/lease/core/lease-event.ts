/** The inputs and outputs of the candidate state machine (lease-core.ts). */
import type * as Calls from './calls.ts';
import type { EndReason } from './end-reason.ts';
import type { LeaseRecord } from './lease-record.ts';
import type { StoreErrorKind } from './store-error.ts';
import type { TermUpdate } from './term-data.ts';

export type Input =
  /** The candidate wants to lead, term after term. */
  | { readonly type: 'campaign' }
  /** End the term, if there is one, once its work has stopped. `again`: then campaign again, unless told before not to. */
  | {
      readonly type: 'release';
      readonly reason: 'released' | 'transferred';
      readonly successor: string | null;
      readonly again: boolean;
      /** Carried by the release, or by a renewal before it. */
      readonly update?: TermUpdate;
    }
  /** The leader changes its metadata or its checkpoint: the next renewal carries it, and is sent at once. */
  | { readonly type: 'update'; readonly update: TermUpdate }
  /** `pushing`: notifications of the store arrive, so a waiting candidate may ask less often. */
  | {
      readonly type: 'acquire-answer';
      readonly call: number;
      readonly answer: Calls.AcquireAnswer;
      readonly pushing: boolean;
    }
  | { readonly type: 'renew-answer'; readonly call: number; readonly answer: Calls.RenewAnswer }
  | { readonly type: 'release-answer'; readonly call: number; readonly answer: Calls.ReleaseAnswer }
  | { readonly type: 'store-error'; readonly call: number; readonly kind: StoreErrorKind }
  /** Time has passed. `wakeMs` asks for it, but it may come at any time: early, late or without need. */
  | { readonly type: 'tick' }
  /** The store announces that the lease may have changed. */
  | { readonly type: 'notification' }
  /** The process with this nonce has provably ended, with everything that it guarded. */
  | { readonly type: 'gone'; readonly nonce: string }
  /** The work has made progress. */
  | { readonly type: 'progress' }
  /** The work has stopped, with everything that it started. */
  | { readonly type: 'settled' };

export type Output =
  | { readonly type: 'acquire'; readonly call: number; readonly request: Calls.AcquireRequest }
  | { readonly type: 'renew'; readonly call: number; readonly request: Calls.RenewRequest }
  | { readonly type: 'release'; readonly call: number; readonly request: Calls.ReleaseRequest }
  /** The term has begun: start the work. `checkpoint` is what earlier holders have left. */
  | { readonly type: 'elected'; readonly token: bigint; readonly checkpoint: string | null }
  /** The store has the updates up to this number. */
  | { readonly type: 'updated'; readonly number: number }
  /** The work must stop. `idleMs` is how long the process did not run, if that is the reason. */
  | { readonly type: 'stopping'; readonly reason: EndReason; readonly idleMs: number }
  /** The lease is about to end, or has ended, and the work still runs: kill it. */
  | { readonly type: 'overdue' }
  /**
   * The term has ended, and its work has stopped. `released`: the store has confirmed the release. `briefTerms`: how many terms
   * in a row, up to this one, ended within a second because their work returned. `cooldownMs`: how long the candidate stays out
   * of the election, because it was evicted.
   */
  | {
      readonly type: 'ended';
      readonly token: bigint;
      readonly reason: EndReason;
      readonly released: boolean;
      readonly briefTerms: number;
      readonly cooldownMs: number;
    }
  /** Another candidate holds the lease, or it is reserved for a successor, or it is the turn of the candidate `ahead`. */
  | { readonly type: 'waiting'; readonly record: LeaseRecord; readonly ahead: string | null }
  /** A call failed or was not answered in time. */
  | { readonly type: 'store-error'; readonly kind: StoreErrorKind | 'timeout' }
  /** The candidate neither leads nor campaigns. */
  | { readonly type: 'stopped' };
