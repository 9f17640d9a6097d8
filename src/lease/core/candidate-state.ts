/** All that a candidate remembers: a plain value, so that it can be saved, compared and drawn. */
import type { CallFailure, Now } from './lease-event.ts';
import type { PendingCall } from './pending-call.ts';
import type { TermState } from './term-state.ts';

/**
 * idle: does not campaign. waiting: will claim at `nextMs`. claiming: a claim is on its way. withdrawing: the candidate
 * stops while a claim is on its way, which is given back if it succeeds. leading: the work may run. stopping: the work
 * was told to stop and has not settled. releasing: it has settled, and the lease is being given back.
 */
export type Phase = 'idle' | 'waiting' | 'claiming' | 'withdrawing' | 'leading' | 'stopping' | 'releasing';

export interface CandidateState {
  phase: Phase;
  /** Campaign again when the term is over. */
  wants: boolean;
  /** Rises when a term ends: part of the nonce, so that no term inherits from the one before. */
  attempt: number;
  calls: number;
  /** Sent, not answered, and not given up. */
  current: PendingCall | null;
  /** Given up, but an answer within the ttl still counts. */
  late: readonly PendingCall[];
  failures: number;
  lastFailure: CallFailure | 'timeout' | null;
  /** When to claim, renew or release next. */
  nextMs: number;
  /** A hint came while a call was on its way that may have been answered before what the hint is about. */
  hinted: boolean;
  /** From the grant of a lease until it is over; null before and after. */
  term: TermState | null;
  /** The latest holder that stood in the way. */
  seen: Sighting | null;
  /** The latest moment that was stepped at. */
  last: Now;
  lots: number;
}

export interface Sighting {
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
    wants: false,
    attempt: 1,
    calls: 0,
    current: null,
    late: [],
    failures: 0,
    lastFailure: null,
    nextMs: 0,
    hinted: false,
    term: null,
    seen: null,
    last: { monoMs: 0, wallMs: 0 },
    lots: seed >>> 0 || 1,
  };
}

/** Begins a new attempt, which knows nothing of the one before. */
export function forgetTerm(state: CandidateState): void {
  state.attempt++;
  state.current = null;
  state.late = [];
  state.term = null;
  state.seen = null;
  state.hinted = false;
  state.failures = 0;
  state.lastFailure = null;
}
