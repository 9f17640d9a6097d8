/** A term, from the grant of its lease until it is over. */
import type { RenewalAnswer } from './calls.ts';
import type { Candidacy } from './candidate-options.ts';
import type { CallFailure, Now } from './lease-event.ts';
import type { LossReason } from './loss.ts';
import type { Timing } from './timing.ts';

export interface TermState {
  readonly token: bigint;
  /** Before the latest request that the store granted was sent. */
  granted: Now;
  readonly electedMs: number;
  /** False if the candidate had withdrawn when the grant came: then there is no work. */
  readonly begun: boolean;
  beatMs: number;
  /** A renewal was due and did not go out because the work had not beaten. */
  withheld: boolean;
  reason: LossReason | null;
  heir: string | null;
  /** While the work comes to its end the lease is renewed until then; null if it is not. */
  renewUntilMs: number | null;
  overdue: boolean;
}

export function newTerm(token: bigint, granted: Now, begun: boolean, now: Now): TermState {
  return {
    token,
    granted,
    electedMs: now.monoMs,
    begun,
    beatMs: now.monoMs,
    withheld: false,
    reason: null,
    heir: null,
    renewUntilMs: null,
    overdue: false,
  };
}

/** Why no renewal came in time; and how long the process had not run, if it is that. */
export function causeOfExpiry(
  state: {
    readonly last: Now;
    readonly lastFailure: CallFailure | 'timeout' | null;
    readonly term: TermState | null;
  },
  { renewMs, softMs }: Timing,
  now: Now,
): [LossReason, number] {
  const { last, lastFailure, term } = state;
  const idleMs = Math.max(now.monoMs - last.monoMs, now.wallMs - last.wallMs);
  // A process that runs is stepped at least once in each renewal and time-out, which are shorter than this.
  if (idleMs * 2 > softMs - renewMs) return ['suspended', idleMs];
  if (term!.withheld) return ['stalled', 0];
  return [lastFailure === 'timeout' || lastFailure === null ? 'renew-timeout' : 'store-unreachable', 0];
}

/** To whom the leader hands over: to the candidate an operator named, or to one of higher priority that has waited. */
export function heirOf(
  { rival, transferTo }: RenewalAnswer & { readonly kind: 'ok' },
  term: TermState,
  { id, priority, timing }: Candidacy,
  now: Now,
): string | null {
  if (transferTo !== null && transferTo !== id) return transferTo;
  if (rival === null || rival.priority <= priority) return null;
  const patienceMs = Math.min(rival.waitedMs, now.monoMs - term.electedMs);
  return patienceMs >= timing.yieldAfterMs ? rival.id : null;
}

/** Spread by a tenth, and then on a common beat: the leases of one process are renewed in the same calls. */
export function renewalDueMs(sent: Now, renewMs: number, draw: (most: number) => number): number {
  const tenth = Math.floor(renewMs / 10);
  const beat = Math.max(1, tenth);
  return Math.round((sent.monoMs + renewMs - tenth + draw(2 * tenth)) / beat) * beat;
}
