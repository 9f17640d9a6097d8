/**
 * A candidate in an election whose lease is kept in a store, as a pure state machine. `step` takes an input and a reading of
 * both clocks, and returns what to do. It never waits, reads no clock, draws from its own seed, and does no input or
 * output. So the code that runs in production is the code that is simulated with faults and model-checked.
 *
 * Guaranteed, whatever the store, the network and the clocks do:
 * - The candidate claims leadership (`isValid`) only until the send time of its last granted request + `stopAfterMs`,
 *   measured on both clocks (P2), and only if the store granted that very term.
 * - It releases the lease only after the work has settled.
 * - An answer that arrives after the lease has ended changes nothing.
 * - `elected` and `ended` alternate.
 *
 * Not guaranteed: that the work stops when it is told to. The output `overdue` comes before the lease ends, so that the work
 * can be killed. A fencing token stops delayed writes, if the resource checks it.
 */
import { acquireFailed, sendAcquire, takeAcquireAnswer, takeGone } from './campaigning.ts';
import type { CandidateOptions } from './candidate-options.ts';
import * as queries from './candidate-queries.ts';
import { type CandidateState, initialState, type Phase } from './candidate-state.ts';
import { type ClockReading, remainingOf } from './clock-reading.ts';
import { CoreStep, type SafetyRules } from './core-step.ts';
import {
  holdFailed,
  passDeadlines,
  sendDue,
  stopToRelease,
  stopWork,
  takeProgress,
  takeReleaseAnswer,
  takeRenewAnswer,
  takeUpdate,
  workSettled,
} from './holding.ts';
import { invariant } from './invariant.ts';
import type { Input, Output } from './lease-event.ts';
import type { LeaseRecord } from './lease-record.ts';
import { addLate, type PendingCall } from './pending-call.ts';
import type { StoreErrorKind } from './store-error.ts';
import { withUpdate } from './term-state.ts';
import { ttlOfHolder } from './waiting.ts';

export class LeaseCore implements SafetyRules {
  protected state: CandidateState;

  constructor(protected readonly options: CandidateOptions) {
    this.state = initialState(options.seed);
  }

  /** Whether the work may run at `now`, however long ago the last step was. */
  isValid(now: ClockReading): boolean {
    return queries.isValid(this.state, this.options.timing, now, this.remaining);
  }

  /** The time until the work must have stopped; 0 without a lease. */
  remainingMs(now: ClockReading): number {
    return queries.remainingMs(this.state, this.options.timing, now, this.remaining);
  }

  /** How long the lease may still be renewed: while the work may run, and for a grace while it stops. */
  renewableMs(now: ClockReading): number {
    return queries.renewableMs(this.state.phase, now);
  }

  /** When the work must have stopped, on both clocks; null without a lease. */
  get deadline(): ClockReading | null {
    return queries.deadlineOf(this.state, this.options.timing);
  }

  /** The next time at which a step has something to do, on the monotonic clock; null if there is nothing to wait for. */
  get dueMs(): number | null {
    return queries.dueMs(this.state, this.options.timing, this.remaining);
  }

  /** When to step again with a tick: when a step is due, or to look at the clocks. */
  get wakeMs(): number | null {
    const { dueMs } = this;
    const lookMs = queries.lookMs(this.state, this.lookEveryMs);
    return dueMs === null || lookMs === null ? (dueMs ?? lookMs) : Math.min(dueMs, lookMs);
  }

  /** Whether the clocks at `now` require a step: the machine slept, or a deadline has passed on one of them. */
  isClockCheckDue(now: ClockReading): boolean {
    if (queries.lookMs(this.state) === null) return false;
    if (queries.sleptMs(this.state.memory.last, now) > 0 || this.remainingMs(now) === 0) return true;
    return this.phase === 'leading' && !this.isValid(now);
  }

  get phase(): Phase['type'] {
    return this.state.phase.type;
  }

  /** Identifies the current attempt in the store. */
  get nonce(): string {
    return this.nonceOf(this.state.memory.attempt);
  }

  /** Deadlines come first: an answer that arrives after a deadline finds the lease ended. */
  step(input: Input, now: ClockReading): readonly Output[] {
    const step = new CoreStep(this.state, this.options, this, now);
    passTime(step);
    take(step, input);
    passTime(step);
    step.memory.last = now;
    this.state = { phase: step.phase, memory: step.memory };
    return step.outputs;
  }

  /** The start of a granted lease: before the request was sent. The answer may have taken any time. */
  grantedAt(call: PendingCall, _now: ClockReading): ClockReading {
    return call.sent;
  }

  /** How long a record must stay unchanged before it counts as expired: the TTL of its holder, not of this candidate. */
  ttlToWait(record: LeaseRecord): number {
    return ttlOfHolder(record, this.options.timing);
  }

  /** The time left of `durationMs`, on the clock on which less is left. Called without its object. */
  remaining(granted: ClockReading, durationMs: number, now: ClockReading): number {
    return remainingOf(granted, durationMs, now);
  }

  /** How often a leader looks at its clocks. */
  protected get lookEveryMs(): number {
    return queries.LOOK_EVERY_MS;
  }

  /** No two attempts share a nonce. */
  nonceOf(attempt: number): string {
    return `${this.options.identity}.${attempt}`;
  }

  /** A number from 0 to `most`. */
  choose(random: number, most: number): number {
    return random % (most + 1);
  }
}

function passTime(step: CoreStep): void {
  const { requestTimeoutMs, ttlMs } = step.options.timing;
  const { now } = step;
  const { monoMs } = now;
  passDeadlines(step);
  hurryAfterSleep(step);
  const { current } = step.phase;
  if (current !== null && step.rules.remaining(current.sent, requestTimeoutMs, now) <= 0) {
    step.memory.late = addLate(step.memory.late, current, monoMs - ttlMs);
    callFailed(step, 'timeout');
  }
  const { phase } = step;
  if (phase.current !== null || !('nextMs' in phase) || phase.nextMs > monoMs) return;
  if (phase.type === 'waiting') sendAcquire(step, phase);
  else sendDue(step, phase);
}

/** The monotonic clock stood still while the machine slept: the renewal is due as much earlier. */
function hurryAfterSleep(step: CoreStep): void {
  const { phase, now } = step;
  const sleptMs = queries.sleptMs(step.memory.last, now);
  if (phase.type !== 'leading' || sleptMs === 0) return;
  step.become({ ...phase, nextMs: phase.nextMs - sleptMs });
  step.memory.last = now;
}

function take(step: CoreStep, input: Input): void {
  const { phase } = step;
  switch (input.type) {
    case 'campaign':
      if (phase.type === 'idle') step.wait(step.now.monoMs, 0, null);
      else if (phase.type === 'withdrawing') step.become({ ...phase, type: 'acquiring' });
      else if ('again' in phase) step.become({ ...phase, again: true });
      return;
    case 'release':
      takeRelease(step, input);
      return;
    case 'update':
      if (phase.type === 'leading' || phase.type === 'stopping') takeUpdate(step, phase, input.update);
      return;
    case 'progress':
      if ('term' in phase) takeProgress(step, phase);
      return;
    case 'settled':
      // The work of a term that still leads has ended by itself.
      if (phase.type === 'leading') stopToRelease(step, phase, 'released', null, true, true);
      if (step.phase.type === 'stopping') workSettled(step, step.phase);
      return;
    case 'notification':
      takeNotification(step);
      return;
    case 'gone':
      if ('observed' in phase) takeGone(step, phase, input.nonce);
      return;
    case 'tick':
      return;
    default:
      takeReply(step, input);
  }
}

function takeRelease(step: CoreStep, input: Input & { readonly type: 'release' }): void {
  const { phase } = step;
  const { reason, successor, again, update } = input;
  if (update !== undefined && (phase.type === 'leading' || phase.type === 'stopping')) {
    step.become({ ...phase, term: withUpdate(phase.term, update) });
  }
  if (step.phase.type === 'leading') stopToRelease(step, step.phase, reason, successor, again);
  else if (again) return;
  // A candidate that was told to stop for good does not campaign again, whatever its work asks for later.
  else if ('again' in step.phase) step.become({ ...step.phase, again: false });
  else if (phase.type === 'acquiring') step.become({ ...phase, type: 'withdrawing' });
  else if (phase.type === 'waiting') step.stop();
}

function takeNotification(step: CoreStep): void {
  const { phase } = step;
  if (phase.current !== null) step.memory.notified = true;
  else if (phase.type === 'waiting') step.wait(step.now.monoMs, phase.errors, phase.observed);
  else if (phase.type === 'leading') step.become({ ...phase, nextMs: step.now.monoMs });
}

function takeReply(step: CoreStep, input: Extract<Input, { readonly call: number }>): void {
  const { current } = step.phase;
  const { late } = step.memory;
  const isCurrent = current?.call === input.call;
  const call = isCurrent ? current : late.find((each) => each.call === input.call);
  if (call === undefined) return;
  if (!isCurrent) step.memory.late = late.filter((each) => each !== call);
  // A late error says nothing new: the call has timed out already.
  if (input.type !== 'store-error') takeAnswer(step, input, call, isCurrent);
  else if (isCurrent) callFailed(step, input.kind);
  if (isCurrent && step.memory.notified) {
    step.memory.notified = false;
    takeNotification(step);
  }
}

type Answer = Extract<Input, { readonly answer: unknown }>;

function takeAnswer(step: CoreStep, input: Answer, call: PendingCall, isCurrent: boolean): void {
  const { phase } = step;
  invariant(input.type === `${call.type}-answer`, 'an answer matches its call');
  if (input.type === 'acquire-answer') {
    const { answer } = input;
    if ('observed' in phase) takeAcquireAnswer(step, phase, input, call, isCurrent);
    // The store granted a repeated request again: in the store, the term that is led had ended.
    else if (phase.type === 'leading' && answer.type === 'ok' && answer.token !== phase.term.token) {
      stopWork(step, phase, 'expired', 0);
    }
  } else if (input.type === 'renew-answer') {
    if (phase.type === 'leading' || phase.type === 'stopping') {
      takeRenewAnswer(step, phase, input.answer, call, isCurrent);
    }
  } else if (phase.type === 'releasing') takeReleaseAnswer(step, phase, input.answer, call);
}

/** The pending call has no answer. */
function callFailed(step: CoreStep, kind: StoreErrorKind | 'timeout'): void {
  const { phase } = step;
  step.outputs.push({ type: 'store-error', kind });
  if ('term' in phase) holdFailed(step, phase, kind);
  else {
    invariant(phase.type === 'acquiring' || phase.type === 'withdrawing', 'a call is pending in this phase');
    acquireFailed(step, phase);
  }
}
