/**
 * A candidate in an election that is held in a store: a pure state machine. `step` takes what happened and both clocks,
 * and returns what to do. It never waits, reads no clock, draws from its own seed, and does no input or output, so that
 * the code that guards a service at night is the code that was simulated under every fault and checked in every state.
 *
 * Guaranteed, whatever the store, the network and the clocks do: the candidate says that it leads (`isValid`) only
 * before the moment at which the claim that elected it, or a renewal granted since, was sent, plus `stopAfterMs`, by both
 * of its clocks (P2); it says so only if the store granted that very term; it gives the lease back only after the work
 * has settled; an answer that comes when the lease is over changes nothing; `elected` and `over` alternate.
 *
 * Not guaranteed: that the work stops when it is told to. Then `overdue` comes before the lease ends, for those who
 * can kill it; and the token keeps a straggler from doing harm, at sinks that check it.
 */
import type { AcquireAnswer, RenewAnswer } from './calls.ts';
import { forgetTerm } from './candidate-state.ts';
import type { ClockReading } from './clock-reading.ts';
import type { EndReason } from './end-reason.ts';
import type { Input, Output } from './lease-event.ts';
import type { LeaseRecord } from './lease-record.ts';
import { giveUp, newCall, type PendingCall, takeCall } from './pending-call.ts';
import { nextRandom } from './prng.ts';
import { Standing } from './standing.ts';
import type { StoreErrorKind } from './store-error-kind.ts';
import { causeOfExpiry, newTerm, renewalDueMs, successorOf } from './term-state.ts';
import { acquireRequest, backOffMs, delayMs, observe, reservationMs, ttlOfHolder } from './waiting.ts';

export class LeaseCore extends Standing {
  private outputs: Output[] = [];

  /** Deadlines that have passed come first: an answer that comes after one finds the lease over. */
  step(input: Input, now: ClockReading): readonly Output[] {
    this.outputs = [];
    this.passTime(now);
    this.take(input, now);
    this.passTime(now);
    this.state.last = now;
    return this.outputs;
  }

  /** From when a granted lease counts. Not from the answer, which may have taken any time. */
  protected grantedAt(call: PendingCall, _now: ClockReading): ClockReading {
    return call.sent;
  }

  /** How long a record must stand still: the ttl of its holder, not that of the candidate. */
  protected ttlToWait(record: LeaseRecord): number {
    return ttlOfHolder(record, this.options.timing);
  }

  private passTime(now: ClockReading): void {
    const { state } = this;
    const { requestTimeoutMs, stopAfterMs, killAfterMs, ttlMs } = this.options.timing;
    if (state.phase === 'leading' && this.leftOf(state.term!, stopAfterMs, now) <= 0) {
      this.lose(...causeOfExpiry(state, this.options.timing, now));
    }
    if (state.phase === 'stopping' && this.leftOf(state.term!, killAfterMs, now) <= 0) this.overdue();
    if (state.phase === 'releasing' && this.leftOf(state.term!, killAfterMs, now) <= 0) this.end(false, now);
    const { current } = state;
    if (current !== null && now.monoMs - current.sent.monoMs >= requestTimeoutMs) {
      giveUp(state, now.monoMs - ttlMs);
      this.fail('timeout', current.type, now);
    }
    if (state.current !== null || state.nextMs > now.monoMs) return;
    if (state.phase === 'waiting') this.acquire(now);
    else if (state.phase === 'releasing') this.release(now);
    else if (this.mayRenew(now)) this.renew(now);
  }

  private take(input: Input, now: ClockReading): void {
    const { state } = this;
    switch (input.type) {
      case 'campaign':
        state.wantsToLead = true;
        if (state.phase === 'idle') this.wait(0, now);
        else if (state.phase === 'withdrawing') state.phase = 'acquiring';
        return;
      case 'release':
        this.stopTerm(input.reason, input.successor, input.again, now);
        return;
      case 'progress':
        if (state.term === null) return;
        state.term.progressMs = now.monoMs;
        if (state.term.withheld && state.current === null) state.nextMs = now.monoMs;
        state.term.withheld = false;
        return;
      case 'settled':
        // In a term that still leads, the work has come to its end by itself.
        if (state.phase === 'leading') this.stopTerm('released', null, state.wantsToLead, now);
        if (state.phase === 'stopping') this.startRelease(now);
        return;
      case 'notification':
        if (state.current !== null) state.notified = true;
        else if (state.phase === 'waiting' || state.phase === 'leading') state.nextMs = now.monoMs;
        return;
      case 'gone':
        if (state.observed === null || state.observed.nonce !== input.nonce) return;
        state.observed = { ...state.observed, gone: true };
        // The claim on its way does not say so.
        if (state.current !== null) state.notified = true;
        else if (state.phase === 'waiting') state.nextMs = now.monoMs;
        return;
      case 'tick':
        return;
      default:
        this.takeReply(input, now);
    }
  }

  private takeReply(input: Extract<Input, { readonly call: number }>, now: ClockReading): void {
    const { state } = this;
    const isCurrent = state.current?.call === input.call;
    const call = takeCall(state, input.call);
    if (call === undefined) return;
    if (call.attempt !== state.attempt) return;
    if (input.type === 'store-error') {
      // A late error says nothing: the call was given up already.
      if (isCurrent) this.fail(input.kind, call.type, now);
    } else if (input.type === 'acquire-answer') this.takeAcquire(input.answer, call, isCurrent, now);
    else if (input.type === 'renew-answer') this.takeRenew(input.answer, call, isCurrent, now);
    else if (state.phase === 'releasing') this.end(input.answer.type === 'ok', now);
    if (isCurrent && state.notified) {
      state.notified = false;
      if (state.phase === 'waiting' || state.phase === 'leading') state.nextMs = now.monoMs;
    }
  }

  private takeAcquire(answer: AcquireAnswer, call: PendingCall, isCurrent: boolean, now: ClockReading): void {
    const { state } = this;
    if (answer.type === 'held') {
      if (!isCurrent) return;
      state.errors = 0;
      if (state.phase === 'withdrawing') this.stop();
      else this.waitBehind(answer.record, now);
      return;
    }
    if (state.term !== null) {
      // The store granted a repetition anew: the term that is led was over by its clock.
      if (answer.token !== state.term.token && state.phase === 'leading') this.lose('expired', 0);
      return;
    }
    const begun = state.phase !== 'withdrawing';
    const term = newTerm(answer.token, this.grantedAt(call, now), begun, now);
    if (this.leftOf(term, this.options.timing.stopAfterMs, now) <= 0) {
      // Too late to be of use: ask again, with the same nonce, for a lease with all its time.
      if (!begun) this.stop();
      else if (isCurrent) this.wait(0, now);
      return;
    }
    state.current = null;
    state.errors = 0;
    state.lastError = null;
    state.observed = null;
    state.term = term;
    if (begun) {
      state.phase = 'leading';
      this.planRenewal(call.sent);
      this.outputs.push({ type: 'elected', token: answer.token });
    } else {
      term.reason = 'released';
      this.startRelease(now);
    }
  }

  private takeRenew(answer: RenewAnswer, call: PendingCall, isCurrent: boolean, now: ClockReading): void {
    const { state } = this;
    const { phase, term } = state;
    if (phase !== 'leading' && !(phase === 'stopping' && term!.renewUntilMs !== null)) return;
    if (answer.type === 'ok') {
      const granted = this.grantedAt(call, now);
      if (granted.monoMs > term!.granted.monoMs) term!.granted = granted;
      state.errors = 0;
      state.lastError = null;
      if (isCurrent) this.planRenewal(call.sent);
      const successor = phase === 'leading' ? successorOf(answer, term!, this.options, now) : null;
      if (successor !== null) this.stopTerm('transferred', successor, state.wantsToLead, now);
      return;
    }
    if (phase === 'leading') this.lose(answer.type === 'lost' ? 'expired' : 'evicted', 0);
    term!.renewUntilMs = null;
    // Lost: by the store's clock it is over, and another may lead already.
    if (answer.type === 'lost') this.overdue();
  }

  private fail(kind: StoreErrorKind | 'timeout', call: PendingCall['type'], now: ClockReading): void {
    const { state } = this;
    const { timing } = this.options;
    this.outputs.push({ type: 'store-error', kind });
    state.errors++;
    state.lastError = kind;
    if (state.phase === 'withdrawing') this.stop();
    else if (state.phase === 'acquiring') this.wait(1 + this.draw(backOffMs(state.errors, timing)), now);
    // A holder has no time to lose, and asks again soon.
    else if (call !== 'acquire')
      state.nextMs = now.monoMs + 1 + this.draw(Math.ceil(timing.requestTimeoutMs / 4));
  }

  private stopTerm(reason: EndReason, successor: string | null, again: boolean, now: ClockReading): void {
    const { state } = this;
    // Whoever was asked to stop for good stays so, whatever the work wishes on its way out.
    state.wantsToLead &&= again;
    if (state.phase === 'leading') {
      this.lose(reason, 0);
      state.term!.successor = successor;
      state.term!.renewUntilMs = now.monoMs + this.options.timing.stopGraceMs;
    } else if (!again && state.phase === 'acquiring') state.phase = 'withdrawing';
    else if (!again && state.phase === 'waiting') this.stop();
  }

  private lose(reason: EndReason, idleMs: number): void {
    this.state.phase = 'stopping';
    this.state.term!.reason = reason;
    this.outputs.push({ type: 'stopping', reason, idleMs });
  }

  private overdue(): void {
    const term = this.state.term!;
    if (!term.overdue) this.outputs.push({ type: 'overdue' });
    term.overdue = true;
  }

  private startRelease(now: ClockReading): void {
    const { state } = this;
    if (state.term!.overdue) {
      this.end(false, now);
      return;
    }
    state.current = null;
    state.phase = 'releasing';
    state.nextMs = now.monoMs;
  }

  private end(released: boolean, now: ClockReading): void {
    const { state } = this;
    const { token, begun, reason } = state.term!;
    if (begun) this.outputs.push({ type: 'ended', token, reason: reason!, released });
    if (!state.wantsToLead) {
      this.stop();
      return;
    }
    forgetTerm(this.state);
    // Others first: whoever steps down, or cannot hold on, should not be the next by habit.
    const half = Math.ceil(this.options.timing.renewEveryMs / 2);
    this.wait(reason === 'transferred' ? 2 * half : half + this.draw(half), now);
  }

  private stop(): void {
    forgetTerm(this.state);
    this.state.phase = 'idle';
    this.state.wantsToLead = false;
    this.outputs.push({ type: 'stopped' });
  }

  private wait(forMs: number, now: ClockReading): void {
    this.state.phase = 'waiting';
    this.state.nextMs = now.monoMs + forMs;
  }

  private waitBehind(record: LeaseRecord, now: ClockReading): void {
    const { state, options } = this;
    this.outputs.push({ type: 'waiting', record });
    state.observed = observe(state.observed, record, this.ttlToWait(record), now);
    const spreadMs = this.draw(Math.floor(options.timing.ttlMs / 50));
    this.wait(delayMs(record, state.observed, options, spreadMs, now), now);
  }

  private acquire(now: ClockReading): void {
    const { state } = this;
    const request = acquireRequest(this.options, this.nonce, state.observed, now);
    state.phase = 'acquiring';
    this.outputs.push({ type: 'acquire', call: newCall(state, 'acquire', now), request });
  }

  private renew(now: ClockReading): void {
    const { state } = this;
    const { name, timing } = this.options;
    const term = state.term!;
    if (
      state.phase === 'leading' &&
      timing.stallAfterMs !== null &&
      now.monoMs - term.progressMs > timing.stallAfterMs
    ) {
      // No progress, no renewal, until the next beat.
      term.withheld = true;
      state.nextMs = now.monoMs + timing.renewEveryMs;
      return;
    }
    const request = { name, nonce: this.nonce, token: term.token, ttlMs: timing.ttlMs };
    this.outputs.push({ type: 'renew', call: newCall(state, 'renew', now), request });
  }

  private release(now: ClockReading): void {
    const { name, timing } = this.options;
    const { token, successor, reason } = this.state.term!;
    const reserveMs = reservationMs(timing);
    const request = { name, nonce: this.nonce, token, reason: reason!, successor, reserveMs };
    this.outputs.push({ type: 'release', call: newCall(this.state, 'release', now), request });
  }

  private planRenewal(sent: ClockReading): void {
    this.state.nextMs = renewalDueMs(sent, this.options.timing.renewEveryMs, (most) => this.draw(most));
  }

  /** From 0 to `most`. */
  protected draw(most: number): number {
    if (most <= 0) return 0;
    this.state.prngState = nextRandom(this.state.prngState);
    return this.state.prngState % (most + 1);
  }
}
