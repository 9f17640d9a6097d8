/**
 * Calls of the present attempt that were sent to the store. A candidate waits for one at a time. Calls that timed out may
 * still be answered.
 */
import type { ClockReading } from './clock-reading.ts';

export interface PendingCall {
  readonly call: number;
  readonly type: 'acquire' | 'renew' | 'release';
  /** Read before the call was sent: a lease that the call obtains ends one TTL after this, or later. */
  readonly sent: ClockReading;
}

/** The late calls after `call` timed out. Answers to calls sent at or before `horizonMs` are of no use. */
export function addLate(
  late: readonly PendingCall[],
  call: PendingCall,
  horizonMs: number,
): readonly PendingCall[] {
  return [...late, call].filter(({ sent }) => sent.monoMs > horizonMs);
}
