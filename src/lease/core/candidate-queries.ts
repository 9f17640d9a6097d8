/**
 * Questions about a candidate that need no step. Nothing is cached: each answer is computed from the clocks that are passed
 * in, so a process that was suspended does not trust what was true before.
 */
import type { CandidateState, Phase } from './candidate-state.ts';
import { type ClockReading, remainingOf } from './clock-reading.ts';
import type { LeaseTiming } from './timing.ts';

export type Remaining = typeof remainingOf;

/** Timers stand still while a machine sleeps. A leader looks at its clocks this often, so that it soon sees that it slept. */
export const LOOK_EVERY_MS = 1_000;

/** The clocks of a machine that does not sleep differ by less, from one step to the next. */
const LEAST_SLEEP_MS = 500;

/** May the work run? */
export function isValid(
  state: CandidateState,
  { stopAfterMs }: LeaseTiming,
  now: ClockReading,
  remaining: Remaining = remainingOf,
): boolean {
  return state.type === 'leading' && remaining(state.term.granted, stopAfterMs, now) > 0;
}

/** The time until the work must have stopped; 0 without a lease. */
export function remainingMs(
  state: CandidateState,
  { killAfterMs }: LeaseTiming,
  now: ClockReading,
  remaining: Remaining = remainingOf,
): number {
  return hasTime(state) ? Math.max(0, remaining(state.term.granted, killAfterMs, now)) : 0;
}

/** When the work must have stopped, on both clocks; null without a lease. */
export function deadlineOf(state: CandidateState, { killAfterMs }: LeaseTiming): ClockReading | null {
  if (!hasTime(state)) return null;
  const { monoMs, wallMs } = state.term.granted;
  return { monoMs: monoMs + killAfterMs, wallMs: wallMs + killAfterMs };
}

/** May a renewal be sent? */
export function mayRenew(phase: Phase, now: ClockReading): boolean {
  if (phase.type === 'leading') return true;
  if (phase.type !== 'stopping' || phase.ending.overdue) return false;
  return phase.ending.renewUntilMs !== null && now.monoMs < phase.ending.renewUntilMs;
}

/** The next time at which a step has something to do, on the monotonic clock; null if there is nothing to wait for. */
export function dueMs(
  state: CandidateState,
  { requestTimeoutMs, stopAfterMs, killAfterMs }: LeaseTiming,
  remaining: Remaining = remainingOf,
): number | null {
  const { last } = state;
  const times: number[] = [];
  const addDeadline = (granted: ClockReading, durationMs: number): void => {
    times.push(last.monoMs + remaining(granted, durationMs, last));
  };
  if (state.current !== null) addDeadline(state.current.sent, requestTimeoutMs);
  else if (state.type === 'waiting' || state.type === 'releasing') times.push(state.nextMs);
  else if ('nextMs' in state && mayRenew(state, last)) times.push(state.nextMs);
  if (state.type === 'leading') addDeadline(state.term.granted, stopAfterMs);
  if ((state.type === 'releasing' || state.type === 'stopping') && !state.ending.overdue) {
    addDeadline(state.term.granted, killAfterMs);
  }
  return times.length === 0 ? null : Math.min(...times);
}

/** When a leader looks at its clocks again, on the monotonic clock; null without a lease. */
export function lookMs(state: CandidateState, lookEveryMs = LOOK_EVERY_MS): number | null {
  return hasTime(state) ? state.last.monoMs + lookEveryMs : null;
}

/** How long the machine slept since the last step: the wall clock moved on while the monotonic clock stood still. */
export function sleptMs({ last }: CandidateState, now: ClockReading): number {
  const sleptMs = now.wallMs - last.wallMs - (now.monoMs - last.monoMs);
  return sleptMs < LEAST_SLEEP_MS ? 0 : sleptMs;
}

type WithTime = Extract<CandidateState, { readonly type: 'leading' | 'stopping' }>;

function hasTime(state: CandidateState): state is WithTime {
  return state.type === 'leading' || (state.type === 'stopping' && !state.ending.overdue);
}
