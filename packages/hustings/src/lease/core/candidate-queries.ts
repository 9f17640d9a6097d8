/**
 * Questions about a candidate that need no step. Nothing is cached: each answer is computed from the clocks that are passed
 * in, so a process that was suspended does not trust what was true before.
 */
import type { CandidateState, Leading, Phase, Stopping } from './candidate-state.ts';
import { type ClockReading, remainingOf } from './clock-reading.ts';
import type { LeaseTiming } from './timing.ts';

export type Remaining = typeof remainingOf;

/** Timers do not run while a machine is suspended. A leader compares its clocks at this interval to detect a suspension. */
export const LOOK_EVERY_MS = 1_000;

/** The clocks of a machine that does not sleep differ by less, from one step to the next. */
const MIN_SLEEP_MS = 500;

/** May the work run? */
export function isValid(
  { phase }: CandidateState,
  { stopAfterMs }: LeaseTiming,
  now: ClockReading,
  remaining: Remaining = remainingOf,
): boolean {
  return phase.type === 'leading' && remaining(phase.term.granted, stopAfterMs, now) > 0;
}

/** The time until the work must have stopped; 0 without a lease. */
export function remainingMs(
  { phase }: CandidateState,
  { killAfterMs }: LeaseTiming,
  now: ClockReading,
  remaining: Remaining = remainingOf,
): number {
  return hasTime(phase) ? Math.max(0, remaining(phase.term.granted, killAfterMs, now)) : 0;
}

/** When the work must have stopped, on both clocks; null without a lease. */
export function deadlineOf({ phase }: CandidateState, { killAfterMs }: LeaseTiming): ClockReading | null {
  if (!hasTime(phase)) return null;
  const { monoMs, wallMs } = phase.term.granted;
  return { monoMs: monoMs + killAfterMs, wallMs: wallMs + killAfterMs };
}

/** May a renewal be sent? */
export function mayRenew(phase: Phase, now: ClockReading): boolean {
  return renewableMs(phase, now) > 0;
}

/** How long renewals may still be sent: without end while the work may run, for the grace while it stops. */
export function renewableMs(phase: Phase, now: ClockReading): number {
  if (phase.type === 'leading') return Number.POSITIVE_INFINITY;
  if (phase.type !== 'stopping' || phase.ending.overdue || phase.ending.renewUntilMs === null) return 0;
  return Math.max(0, phase.ending.renewUntilMs - now.monoMs);
}

/** The next time at which a step has something to do, on the monotonic clock; null if there is nothing to wait for. */
export function dueMs(
  { phase, memory }: CandidateState,
  { requestTimeoutMs, stopAfterMs, killAfterMs }: LeaseTiming,
  remaining: Remaining = remainingOf,
): number | null {
  const { last } = memory;
  const { current } = phase;
  // Infinity until there is something to wait for. An array of times would be most of what a step allocates.
  let due = Number.POSITIVE_INFINITY;
  if (current !== null) due = last.monoMs + remaining(current.sent, requestTimeoutMs, last);
  else if (phase.type === 'waiting' || phase.type === 'releasing') due = phase.nextMs;
  else if ('nextMs' in phase && mayRenew(phase, last)) due = phase.nextMs;
  if (phase.type === 'leading') {
    due = Math.min(due, last.monoMs + remaining(phase.term.granted, stopAfterMs, last));
  } else if ((phase.type === 'releasing' || phase.type === 'stopping') && !phase.ending.overdue) {
    due = Math.min(due, last.monoMs + remaining(phase.term.granted, killAfterMs, last));
  }
  return due === Number.POSITIVE_INFINITY ? null : due;
}

/** When a leader looks at its clocks again, on the monotonic clock; null without a lease. */
export function lookMs({ phase, memory }: CandidateState, lookEveryMs = LOOK_EVERY_MS): number | null {
  return hasTime(phase) ? memory.last.monoMs + lookEveryMs : null;
}

/** How long the machine slept since `last`: the wall clock moved on while the monotonic clock stood still. */
export function sleptMs(last: ClockReading, now: ClockReading): number {
  const sleptMs = now.wallMs - last.wallMs - (now.monoMs - last.monoMs);
  return sleptMs < MIN_SLEEP_MS ? 0 : sleptMs;
}

function hasTime(phase: Phase): phase is Leading | Stopping {
  return phase.type === 'leading' || (phase.type === 'stopping' && !phase.ending.overdue);
}
