/** Calls on their way to the store. At most one is waited for; others were given up, and may still be answered. */
import type { ClockReading } from './clock-reading.ts';

export interface PendingCall {
  readonly call: number;
  readonly type: 'acquire' | 'renew' | 'release';
  /** Of the candidate when it was sent: answers to an earlier attempt mean nothing to this one. */
  readonly attempt: number;
  /** Before it was sent: the lease that it is granted ends a ttl after this, or later. */
  readonly sent: ClockReading;
}

interface Calls {
  readonly attempt: number;
  calls: number;
  current: PendingCall | null;
  late: readonly PendingCall[];
}

export function newCall(state: Calls, type: PendingCall['type'], now: ClockReading): number {
  const call = ++state.calls;
  state.current = { call, type, attempt: state.attempt, sent: now };
  return call;
}

/** An answer to a call that was sent before `horizonMs` is of no use any more. */
export function giveUp(state: Calls, horizonMs: number): void {
  const { current, late } = state;
  state.current = null;
  state.late = [...late, ...(current === null ? [] : [current])].filter(
    ({ sent }) => sent.monoMs > horizonMs,
  );
}

/** The call that an answer is for, which is then pending no more; undefined if nobody waits for it. */
export function takeCall(state: Calls, number: number): PendingCall | undefined {
  const { current, late } = state;
  if (current?.call === number) {
    state.current = null;
    return current;
  }
  const call = late.find((each) => each.call === number);
  if (call !== undefined) state.late = late.filter((each) => each !== call);
  return call;
}
