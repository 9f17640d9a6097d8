/** What a leader decides about its term. */
import type { RenewAnswer } from './calls.ts';
import type { CandidateOptions } from './candidate-options.ts';
import type { Leading, TermState } from './candidate-state.ts';
import type { ClockReading } from './clock-reading.ts';
import type { LossReason } from './end-reason.ts';
import type { TermUpdate } from './term-data.ts';
import type { LeaseTiming } from './timing.ts';

export function newTerm(token: bigint, granted: ClockReading, now: ClockReading): TermState {
  return {
    token,
    granted,
    electedMs: now.monoMs,
    progressMs: now.monoMs,
    withheld: false,
    unconfirmed: null,
  };
}

/** The term with an update that the next call carries, together with what is not confirmed yet. */
export function withUpdate(term: TermState, update: TermUpdate): TermState {
  return { ...term, unconfirmed: { update: { ...term.unconfirmed?.update, ...update }, call: null } };
}

/** Why no renewal was granted in time, and how long the process did not run, if that is the reason. */
export function causeOfExpiry(
  { lastError, term }: Leading,
  last: ClockReading,
  { renewEveryMs, stopAfterMs }: LeaseTiming,
  now: ClockReading,
): [LossReason, number] {
  const idleMs = Math.max(now.monoMs - last.monoMs, now.wallMs - last.wallMs);
  // A process that runs is stepped at least once per renewal and per request timeout, which are shorter than this.
  if (idleMs * 2 > stopAfterMs - renewEveryMs) return ['suspended', idleMs];
  if (term.withheld) return ['stalled', 0];
  return [lastError === 'timeout' || lastError === null ? 'renew-timeout' : 'store-unreachable', 0];
}

/** The candidate to which the leader hands over: the one an operator named, or a challenger that has waited long enough. */
export function successorOf(
  { challenger, transferTo }: RenewAnswer & { readonly type: 'ok' },
  term: TermState,
  { id, priority, timing }: CandidateOptions,
  now: ClockReading,
): string | null {
  if (transferTo !== null && transferTo !== id) return transferTo;
  if (challenger === null || challenger.priority <= priority) return null;
  const waitedMs = Math.min(challenger.waitedMs, now.monoMs - term.electedMs);
  return waitedMs >= timing.yieldAfterMs ? challenger.id : null;
}

/** Jitter of a tenth, rounded to a common grid, so that the leases of one process are renewed in the same calls. */
export function renewalDueMs(
  sent: ClockReading,
  renewEveryMs: number,
  draw: (most: number) => number,
): number {
  const tenth = Math.floor(renewEveryMs / 10);
  const grid = Math.max(1, tenth);
  return Math.round((sent.monoMs + renewEveryMs - tenth + draw(2 * tenth)) / grid) * grid;
}
