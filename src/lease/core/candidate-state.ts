/** All that a candidate remembers: a plain value, so that it can be saved, compared and drawn. */
import type { ClockReading } from './clock-reading.ts';
import type { PendingCall } from './pending-call.ts';
import type { StoreErrorKind } from './store-error-kind.ts';
import type { TermState } from './term-state.ts';

/**
 * idle: does not campaign. waiting: will claim at `nextMs`. claiming: a claim is on its way. withdrawing: the candidate
 * stops while a claim is on its way, which is given back if it succeeds. leading: the work may run. stopping: the work
 * was told to stop and has not settled. releasing: it has settled, and the lease is being given back.
 */
export type Phase = 'idle' | 'waiting' | 'acquiring' | 'withdrawing' | 'leading' | 'stopping' | 'releasing';

export interface CandidateState {
  phase: Phase;
  /** Campaign again when the term is over. */
  wantsToLead: boolean;
  /** Rises when a term ends: part of the nonce, so that no term inherits from the one before. */
  attempt: number;
  calls: number;
  /** Sent, not answered, and not given up. */
  current: PendingCall | null;
  /** Given up, but an answer within the ttl still counts. */
  late: readonly PendingCall[];
  errors: number;
  lastError: StoreErrorKind | 'timeout' | null;
  /** When to claim, renew or release next. */
  nextMs: number;
  /** A notification came while a call was on its way that may have been answered before what the notification is about. */
  notified: boolean;
  /** From the grant of a lease until it is over; null before and after. */
  term: TermState | null;
  /** The latest holder that stood in the way. */
  observed: ObservedRecord | null;
  /** The latest moment that was stepped at. */
  last: ClockReading;
  prngState: number;
}

export interface ObservedRecord {
  readonly nonce: string | null;
  readonly version: bigint;
  /** Since when the version has stood still, by the monotonic clock. */
  readonly sinceMs: number;
  /** For how long it must, before the holder is out by its own clock. */
  readonly ttlMs: number;
  /** The holder is proved to be gone. */
  readonly gone: boolean;
}

export function initialState(seed: number): CandidateState {
  return {
    phase: 'idle',
    wantsToLead: false,
    attempt: 1,
    calls: 0,
    current: null,
    late: [],
    errors: 0,
    lastError: null,
    nextMs: 0,
    notified: false,
    term: null,
    observed: null,
    last: { monoMs: 0, wallMs: 0 },
    prngState: seed >>> 0 || 1,
  };
}

/** Begins a new attempt, which knows nothing of the one before. */
export function forgetTerm(state: CandidateState): void {
  state.attempt++;
  state.current = null;
  state.late = [];
  state.term = null;
  state.observed = null;
  state.notified = false;
  state.errors = 0;
  state.lastError = null;
}
