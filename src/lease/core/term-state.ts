/** A term, from the grant of its lease until it is over. */
import type { RenewAnswer } from './calls.ts';
import type { CandidateOptions } from './candidate-options.ts';
import type { ClockReading } from './clock-reading.ts';
import type { EndReason } from './end-reason.ts';
import type { StoreErrorKind } from './store-error-kind.ts';
import type { LeaseTiming } from './timing.ts';

export interface TermState {
  readonly token: bigint;
  /** Before the latest request that the store granted was sent. */
  granted: ClockReading;
  readonly electedMs: number;
  /** False if the candidate had withdrawn when the grant came: then there is no work. */
  readonly begun: boolean;
  progressMs: number;
  /** A renewal was due and did not go out because the work had not beaten. */
  withheld: boolean;
  reason: EndReason | null;
  successor: string | null;
  /** While the work comes to its end the lease is renewed until then; null if it is not. */
  renewUntilMs: number | null;
  overdue: boolean;
}

export function newTerm(token: bigint, granted: ClockReading, begun: boolean, now: ClockReading): TermState {
  return {
    token,
    granted,
    electedMs: now.monoMs,
    begun,
    progressMs: now.monoMs,
    withheld: false,
    reason: null,
    successor: null,
    renewUntilMs: null,
    overdue: false,
  };
}

/** Why no renewal came in time; and how long the process had not run, if it is that. */
export function causeOfExpiry(
  state: {
    readonly last: ClockReading;
    readonly lastError: StoreErrorKind | 'timeout' | null;
    readonly term: TermState | null;
  },
  { renewEveryMs, stopAfterMs }: LeaseTiming,
  now: ClockReading,
): [EndReason, number] {
  const { last, lastError, term } = state;
  const idleMs = Math.max(now.monoMs - last.monoMs, now.wallMs - last.wallMs);
  // A process that runs is stepped at least once in each renewal and timeout, which are shorter than this.
  if (idleMs * 2 > stopAfterMs - renewEveryMs) return ['suspended', idleMs];
  if (term!.withheld) return ['stalled', 0];
  return [lastError === 'timeout' || lastError === null ? 'renew-timeout' : 'store-unreachable', 0];
}

/** To whom the leader hands over: to the candidate an operator named, or to one of higher priority that has waited. */
export function successorOf(
  { challenger, transferTo }: RenewAnswer & { readonly type: 'ok' },
  term: TermState,
  { id, priority, timing }: CandidateOptions,
  now: ClockReading,
): string | null {
  if (transferTo !== null && transferTo !== id) return transferTo;
  if (challenger === null || challenger.priority <= priority) return null;
  const patienceMs = Math.min(challenger.waitedMs, now.monoMs - term.electedMs);
  return patienceMs >= timing.yieldAfterMs ? challenger.id : null;
}

/** Spread by a tenth, and then on a common beat: the leases of one process are renewed in the same calls. */
export function renewalDueMs(
  sent: ClockReading,
  renewEveryMs: number,
  draw: (most: number) => number,
): number {
  const tenth = Math.floor(renewEveryMs / 10);
  const beat = Math.max(1, tenth);
  return Math.round((sent.monoMs + renewEveryMs - tenth + draw(2 * tenth)) / beat) * beat;
}
