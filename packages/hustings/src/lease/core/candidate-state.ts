/**
 * The state of a candidate: one type per phase, discriminated by `type`, so that a field exists exactly in the phases that
 * use it. A state is a plain immutable value: it can be saved, compared and loaded.
 */
import type { ClockReading } from './clock-reading.ts';
import type { EndReason } from './end-reason.ts';
import type { PendingCall } from './pending-call.ts';
import type { StoreErrorKind } from './store-error.ts';
import type { TermUpdate } from './term-data.ts';

export interface CandidateState {
  readonly phase: Phase;
  readonly memory: Memory;
}

/** What a candidate remembers in every phase. */
export interface Memory {
  /** Rises when a term ends. It is part of the nonce, so no term inherits anything from the term before. */
  readonly attempt: number;
  /** The number of the latest call. */
  readonly calls: number;
  /** Calls that timed out. An answer within the TTL still counts. */
  readonly late: readonly PendingCall[];
  /** A notification came while a call was pending. The store may have answered the call before the change. */
  readonly notified: boolean;
  /** No acquire request is sent before this time: the candidate has led, and lets others try first. */
  readonly pausedUntilMs: number;
  /** How many terms in a row ended within a second because their work returned. */
  readonly briefTerms: number;
  /** The clocks at the latest step. */
  readonly last: ClockReading;
  readonly prngState: number;
}

export type Phase = Idle | Waiting | Acquiring | Withdrawing | Leading | Stopping | Releasing;

/** Does not campaign. */
export interface Idle {
  readonly type: 'idle';
  readonly current: null;
}

/** Campaigns, and sends the next acquire request at `nextMs`. */
export interface Waiting {
  readonly type: 'waiting';
  readonly current: null;
  readonly nextMs: number;
  /** Errors since the store answered last. */
  readonly errors: number;
  /** The latest record that refused the lease. */
  readonly observed: ObservedRecord | null;
}

/** An acquire request is pending. */
export interface Acquiring {
  readonly type: 'acquiring';
  readonly current: PendingCall;
  readonly errors: number;
  readonly observed: ObservedRecord | null;
}

/** The candidate was told to stop while an acquire request was pending. A lease that is still granted is released. */
export interface Withdrawing {
  readonly type: 'withdrawing';
  readonly current: PendingCall;
  readonly errors: number;
  readonly observed: ObservedRecord | null;
}

/** The work may run. The next renewal is sent at `nextMs`. */
export interface Leading {
  readonly type: 'leading';
  readonly current: PendingCall | null;
  readonly nextMs: number;
  readonly term: TermState;
  /** The error of the latest renewal, if it failed. */
  readonly lastError: StoreErrorKind | 'timeout' | null;
}

/** The work was told to stop, and has not settled. */
export interface Stopping {
  readonly type: 'stopping';
  readonly current: PendingCall | null;
  readonly nextMs: number;
  readonly term: TermState;
  readonly ending: Ending;
  /** Campaign again when the term has ended. */
  readonly again: boolean;
}

/** The work has settled. The next release request is sent at `nextMs`; a lease that is overdue is released by one request. */
export interface Releasing {
  readonly type: 'releasing';
  readonly current: PendingCall | null;
  readonly nextMs: number;
  readonly term: TermState;
  readonly ending: Ending;
  readonly again: boolean;
  /** False if the candidate had withdrawn before the lease was granted: then no work ran. */
  readonly hadWork: boolean;
}

/** A term, from the grant of its lease until it has ended. */
export interface TermState {
  readonly token: bigint;
  /** Read before the latest granted request was sent: every deadline counts from here. */
  readonly granted: ClockReading;
  readonly electedMs: number;
  /** When the work last reported progress. */
  readonly progressMs: number;
  /** A renewal was due and was not sent, because the work had reported no progress. */
  readonly withheld: boolean;
  /** What the store has not confirmed, and the latest call that carries it; null if there is nothing. */
  readonly unconfirmed: { readonly update: TermUpdate; readonly call: number | null } | null;
}

/** How a term ends. */
export interface Ending {
  readonly reason: EndReason;
  /** The candidate for which the store reserves the lease. */
  readonly successor: string | null;
  /** Until then the lease is renewed while the work stops; null if it is not renewed. */
  readonly renewUntilMs: number | null;
  /** The lease was about to end, or had ended, while the work still ran. */
  readonly overdue: boolean;
  /** The store has said that the lease is lost: there is nothing to release. */
  readonly lost: boolean;
  /** The work returned by itself. */
  readonly returned: boolean;
  /** How long an evicted candidate stays out of the election. */
  readonly cooldownMs: number;
}

/** A lease record that another candidate holds, as this candidate has observed it. */
export interface ObservedRecord {
  readonly nonce: string | null;
  readonly version: bigint;
  /** Since when the version has not changed, on the monotonic clock. */
  readonly sinceMs: number;
  /**
   * How long the version must not change before the lease has expired on the holder's own clock; null if the store judges
   * that on its clock.
   */
  readonly ttlMs: number | null;
  /** The holder has provably ended. */
  readonly gone: boolean;
}

export function initialState(seed: number): CandidateState {
  return {
    phase: { type: 'idle', current: null },
    memory: {
      attempt: 1,
      calls: 0,
      late: [],
      notified: false,
      pausedUntilMs: 0,
      briefTerms: 0,
      last: { monoMs: 0, wallMs: 0 },
      // Zero is the fixed point of the generator.
      prngState: seed >>> 0 || 1,
    },
  };
}
