/** The phases of a term: leading, stopping and releasing. */
import type { ReleaseAnswer, RenewAnswer } from './calls.ts';
import { mayRenew } from './candidate-queries.ts';
import type { Ending, Leading, Releasing, Stopping, TermState } from './candidate-state.ts';
import { type ClockReading, earlier } from './clock-reading.ts';
import type { CoreStep } from './core-step.ts';
import type { EndReason } from './end-reason.ts';
import { invariant } from './invariant.ts';
import type { PendingCall } from './pending-call.ts';
import type { StoreErrorKind } from './store-error.ts';
import type { TermUpdate } from './term-data.ts';
import { causeOfExpiry, renewalDueMs, successorOf, withUpdate } from './term-state.ts';
import { pauseMs, reservationMs } from './waiting.ts';

type Holding = Leading | Stopping | Releasing;

/** A term whose work returned sooner than this was brief. */
const BRIEF_MS = 1_000;

export function lead(step: CoreStep, term: TermState, sent: ClockReading, checkpoint: string | null): void {
  step.become({ type: 'leading', current: null, nextMs: dueMs(step, sent), term, lastError: null });
  step.outputs.push({ type: 'elected', token: term.token, checkpoint });
}

const ENDING: Omit<Ending, 'reason'> = {
  successor: null,
  renewUntilMs: null,
  overdue: false,
  lost: false,
  returned: false,
  cooldownMs: 0,
};

/** A lease that was granted to a candidate that no longer wants it. */
export function releaseUnused(step: CoreStep, term: TermState): void {
  const ending: Ending = { ...ENDING, reason: 'released' };
  const nextMs = step.now.monoMs;
  step.become({ type: 'releasing', current: null, nextMs, term, ending, again: false, hadWork: false });
}

/** Acts on the deadlines that have passed. */
export function passDeadlines(step: CoreStep): void {
  const { now, options, rules } = step;
  const { stopAfterMs, killAfterMs } = options.timing;
  if (step.phase.type === 'leading' && rules.remaining(step.phase.term.granted, stopAfterMs, now) <= 0) {
    const [reason, idleMs] = causeOfExpiry(step.phase, step.memory.last, options.timing, now);
    stopWork(step, step.phase, reason, idleMs);
  }
  const { phase } = step;
  if ((phase.type !== 'stopping' && phase.type !== 'releasing') || phase.ending.overdue) return;
  if (rules.remaining(phase.term.granted, killAfterMs, now) > 0) return;
  if (phase.type === 'stopping') becomeOverdue(step, phase);
  else end(step, phase, phase.hadWork, false);
}

/** Sends the call that is due at `nextMs`. */
export function sendDue(step: CoreStep, phase: Holding): void {
  if (phase.type === 'releasing') sendRelease(step, phase);
  else if (mayRenew(phase, step.now)) sendRenew(step, phase);
}

function sendRenew(step: CoreStep, phase: Leading | Stopping): void {
  const { name, timing } = step.options;
  const { term } = phase;
  const { stallAfterMs, renewEveryMs, ttlMs } = timing;
  const isStalled = stallAfterMs !== null && step.now.monoMs - term.progressMs > stallAfterMs;
  if (phase.type === 'leading' && isStalled) {
    // The lease is not renewed until the work reports progress.
    step.become({ ...phase, nextMs: step.now.monoMs + renewEveryMs, term: { ...term, withheld: true } });
    return;
  }
  const { unconfirmed } = term;
  const update = unconfirmed === null ? {} : { update: unconfirmed.update };
  const request = { name, nonce: step.nonce, token: term.token, ttlMs, ...update };
  const current = step.newCall('renew');
  step.become({ ...phase, current, term: carriedBy(term, current) });
  step.outputs.push({ type: 'renew', call: current.call, request });
}

/** No copy in the most frequent case: there is nothing to carry. */
function carriedBy(term: TermState, { call }: PendingCall): TermState {
  const { unconfirmed } = term;
  return unconfirmed === null ? term : { ...term, unconfirmed: { ...unconfirmed, call } };
}

/** The term after its call was answered: the store has what the call carried. */
function confirmed(step: CoreStep, term: TermState, { call }: PendingCall): TermState {
  const { unconfirmed } = term;
  if (unconfirmed === null || unconfirmed.call !== call) return term;
  step.outputs.push({ type: 'updated', number: unconfirmed.update.number });
  return { ...term, unconfirmed: null };
}

/** Sent at once, unless a call is pending: then after its answer. */
export function takeUpdate(step: CoreStep, phase: Leading | Stopping, update: TermUpdate): void {
  const nextMs = phase.current === null ? step.now.monoMs : phase.nextMs;
  step.become({ ...phase, nextMs, term: withUpdate(phase.term, update) });
}

function sendRelease(step: CoreStep, phase: Releasing): void {
  const { name, timing } = step.options;
  const { reason, successor } = phase.ending;
  const reserveMs = reservationMs(timing);
  const { term } = phase;
  const checkpoint = term.unconfirmed?.update.checkpoint;
  const request = {
    ...{ name, nonce: step.nonce, token: term.token, reason, successor, reserveMs },
    ...(checkpoint === undefined ? {} : { checkpoint }),
  };
  const current = step.newCall('release');
  step.become({ ...phase, current, term: carriedBy(term, current) });
  step.outputs.push({ type: 'release', call: current.call, request });
}

/** The pending call has no answer. A holder has no time to lose, and asks again soon. */
export function holdFailed(step: CoreStep, phase: Holding, kind: StoreErrorKind | 'timeout'): void {
  const quarterMs = Math.ceil(step.options.timing.requestTimeoutMs / 4);
  const nextMs = step.now.monoMs + 1 + step.draw(quarterMs);
  if (phase.type === 'leading') step.become({ ...phase, current: null, nextMs, lastError: kind });
  else if (phase.type === 'releasing' && phase.ending.overdue) end(step, phase, phase.hadWork, false);
  else step.become({ ...phase, current: null, nextMs });
}

/** `isCurrent`: the answer is to the pending request, not to one that timed out. */
export function takeRenewAnswer(
  step: CoreStep,
  phase: Leading | Stopping,
  answer: RenewAnswer,
  call: PendingCall,
  isCurrent: boolean,
): void {
  const current = isCurrent ? null : phase.current;
  const cooldownMs = answer.type === 'evicted' ? answer.cooldownMs : 0;
  if (phase.type === 'stopping' && phase.ending.renewUntilMs === null) {
    const { ending } = phase;
    const lost = ending.lost || answer.type === 'lost';
    step.become({
      ...phase,
      current,
      ending: { ...ending, lost, cooldownMs: cooldownMs || ending.cooldownMs },
    });
    return;
  }
  if (answer.type === 'ok') {
    const { ageMs } = answer;
    const sent = step.rules.grantedAt(call, step.now);
    // No copy in the most frequent case.
    const granted = ageMs === undefined ? sent : earlier(sent, ageMs);
    const term = confirmed(step, extended(phase.term, granted), call);
    const isDue = current === null && term.unconfirmed !== null;
    const nextMs = isDue ? step.now.monoMs : isCurrent ? dueMs(step, call.sent) : phase.nextMs;
    if (phase.type === 'stopping') {
      step.become({ ...phase, current, nextMs, term });
      return;
    }
    const renewed: Leading = { ...phase, current, nextMs, term, lastError: null };
    step.become(renewed);
    const successor = successorOf(answer, term, step.options, step.now);
    if (successor !== null) stopToRelease(step, renewed, 'transferred', successor, true);
    return;
  }
  if (phase.type === 'leading') {
    stopWork(step, { ...phase, current }, answer.type === 'lost' ? 'expired' : 'evicted', 0, { cooldownMs });
  } else step.become({ ...phase, current, ending: { ...phase.ending, renewUntilMs: null, cooldownMs } });
  invariant(step.phase.type === 'stopping', 'a lease that cannot be renewed stops the work');
  // Lost: in the store the lease has ended, and another candidate may lead already.
  if (answer.type === 'lost') {
    becomeOverdue(step, { ...step.phase, ending: { ...step.phase.ending, lost: true } });
  }
}

/** Answers may arrive in any order: an older grant never shortens the lease. */
function extended(term: TermState, granted: ClockReading): TermState {
  return granted.monoMs > term.granted.monoMs ? { ...term, granted } : term;
}

export function takeProgress(step: CoreStep, phase: Holding): void {
  const { term, current } = phase;
  const { monoMs } = step.now;
  step.become({
    ...phase,
    nextMs: term.withheld && current === null ? monoMs : phase.nextMs,
    term: { ...term, progressMs: monoMs, withheld: false },
  });
}

/** The candidate ends its term by choice: the lease is renewed while the work stops, and released when it has settled. */
export function stopToRelease(
  step: CoreStep,
  phase: Leading,
  reason: EndReason,
  successor: string | null,
  again: boolean,
  returned = false,
): void {
  const renewUntilMs = step.now.monoMs + step.options.timing.stopGraceMs;
  stopWork(step, phase, reason, 0, { successor, renewUntilMs, returned }, again);
}

export function stopWork(
  step: CoreStep,
  { current, nextMs, term }: Leading,
  reason: EndReason,
  idleMs: number,
  details: Partial<Ending> = {},
  again = true,
): void {
  const ending: Ending = { ...ENDING, ...details, reason };
  step.become({ type: 'stopping', current, nextMs, term, ending, again });
  step.outputs.push({ type: 'stopping', reason, idleMs });
}

function becomeOverdue(step: CoreStep, phase: Stopping): void {
  if (phase.ending.overdue) return;
  step.become({ ...phase, ending: { ...phase.ending, overdue: true } });
  step.outputs.push({ type: 'overdue' });
}

export function workSettled(step: CoreStep, phase: Stopping): void {
  const { term, ending, again } = phase;
  // A lease that is over in the store is not released by this request: the store compares nonce and token.
  if (ending.lost) end(step, phase, true, false);
  else {
    const nextMs = step.now.monoMs;
    step.become({ type: 'releasing', current: null, nextMs, term, ending, again, hadWork: true });
  }
}

export function takeReleaseAnswer(
  step: CoreStep,
  phase: Releasing,
  answer: ReleaseAnswer,
  call: PendingCall,
): void {
  const { ending, hadWork } = phase;
  if (answer.type !== 'lost') confirmed(step, phase.term, call);
  const cooldownMs = answer.type === 'evicted' ? answer.cooldownMs : ending.cooldownMs;
  end(step, { ...phase, ending: { ...ending, cooldownMs } }, hadWork, answer.type !== 'lost');
}

/** `released`: the store has confirmed the release. */
export function end(
  step: CoreStep,
  { term, ending, again }: Stopping | Releasing,
  hadWork: boolean,
  released: boolean,
): void {
  const { now } = step;
  const { reason, cooldownMs } = ending;
  if (hadWork) {
    const isBrief = ending.returned && now.monoMs - term.electedMs < BRIEF_MS;
    const briefTerms = isBrief ? step.memory.briefTerms + 1 : 0;
    step.outputs.push({ type: 'ended', token: term.token, reason, released, briefTerms, cooldownMs });
    // Lets other candidates try first: this one has stepped down, or could not keep the lease.
    const { least, most } = pauseMs(step.options.timing);
    const waitMs = reason === 'transferred' ? most : least + step.draw(most - least);
    step.memory.briefTerms = briefTerms;
    step.memory.pausedUntilMs = now.monoMs + Math.max(waitMs, cooldownMs);
  }
  if (!again) {
    step.stop();
    return;
  }
  step.startAttempt();
  step.wait(now.monoMs, 0, null);
}

function dueMs(step: CoreStep, sent: ClockReading): number {
  return renewalDueMs(sent, step.options.timing.renewEveryMs, (most) => step.draw(most));
}
