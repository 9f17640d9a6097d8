/** What goes into the core of a candidate, and what comes out of it. */
import type { Claim, ClaimAnswer, Release, ReleaseAnswer, Renewal, RenewalAnswer } from './calls.ts';
import type { LeaseRecord } from './lease-record.ts';
import type { LossReason } from './loss.ts';

/** Both clocks of the candidate's machine at one moment, in whole milliseconds. */
export interface Now {
  /** Runs evenly, and stands still while the machine sleeps. */
  readonly monoMs: number;
  /** May jump, and runs on while the machine sleeps. */
  readonly wallMs: number;
}

export type CallFailure = 'unreachable' | 'busy' | 'refused';

export type Input =
  /** From now on the candidate wants to lead, term after term. */
  | { readonly type: 'campaign' }
  /** End the term, if there is one, once its work has stopped. `again`: then campaign once more, unless it was told before not to. */
  | {
      readonly type: 'resign';
      readonly reason: 'released' | 'transferred';
      readonly heir: string | null;
      readonly again: boolean;
    }
  | { readonly type: 'claim-answer'; readonly call: number; readonly answer: ClaimAnswer }
  | { readonly type: 'renewal-answer'; readonly call: number; readonly answer: RenewalAnswer }
  | { readonly type: 'release-answer'; readonly call: number; readonly answer: ReleaseAnswer }
  | { readonly type: 'failure'; readonly call: number; readonly failure: CallFailure }
  /** Time has passed: it was asked for by `wakeMs`, but may come at any time, early, late or for nothing. */
  | { readonly type: 'tick' }
  /** The store says that something may have changed. */
  | { readonly type: 'hint' }
  /** The process behind this nonce is proved to be gone, with all that it guarded. */
  | { readonly type: 'gone'; readonly nonce: string }
  /** The work has made progress. */
  | { readonly type: 'beat' }
  /** The work has stopped: for good, with everything that it started. */
  | { readonly type: 'settled' };

export type Output =
  | { readonly type: 'claim'; readonly call: number; readonly claim: Claim }
  | { readonly type: 'renew'; readonly call: number; readonly renewal: Renewal }
  | { readonly type: 'release'; readonly call: number; readonly release: Release }
  /** The term has begun: let the work begin. */
  | { readonly type: 'elected'; readonly token: bigint }
  /** The work must stop. `idleMs` is how long the process had not run, where that is the reason. */
  | { readonly type: 'abort'; readonly reason: LossReason; readonly idleMs: number }
  /** The lease is about to end, or has ended, and the work still runs: kill it. */
  | { readonly type: 'overdue' }
  /** The term is over, and its work has stopped. */
  | { readonly type: 'over'; readonly token: bigint; readonly reason: LossReason; readonly released: boolean }
  /** Another holds the lease, or it is kept for an heir. */
  | { readonly type: 'held'; readonly record: LeaseRecord }
  /** A call failed or had no answer in time. */
  | { readonly type: 'trouble'; readonly failure: CallFailure | 'timeout' }
  /** The candidate neither leads nor campaigns any more. */
  | { readonly type: 'stopped' };
