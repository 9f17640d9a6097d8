/**
 * A candidate in an election that is held in a store: a pure state machine. `step` takes what happened and both clocks,
 * and returns what to do. It never waits, reads no clock, draws from its own seed, and does no input or output, so that
 * the code that guards a service at night is the code that was simulated under every fault and checked in every state.
 *
 * Guaranteed, whatever the store, the network and the clocks do: the candidate says that it leads (`isValid`) only
 * before the moment at which the claim that elected it, or a renewal granted since, was sent, plus `softMs`, by both
 * of its clocks (P2); it says so only if the store granted that very term; it gives the lease back only after the work
 * has settled; an answer that comes when the lease is over changes nothing; `elected` and `over` alternate.
 *
 * Not guaranteed: that the work stops when it is told to. Then `overdue` comes before the lease ends, for those who
 * can kill it; and the token keeps a straggler from doing harm, at sinks that check it.
 */
import type { ClaimAnswer, RenewalAnswer } from './calls.ts';
import { forgetTerm } from './candidate-state.ts';
import type { CallFailure, Input, Now, Output } from './lease-event.ts';
import type { LeaseRecord } from './lease-record.ts';
import type { LossReason } from './loss.ts';
import { giveUp, newCall, type PendingCall, takeCall } from './pending-call.ts';
import { nextLot } from './prng.ts';
import { Standing } from './standing.ts';
import { causeOfExpiry, heirOf, newTerm, renewalDueMs } from './term-state.ts';
import { backOffMs, claimOf, keptForHeirMs, patienceMs, sight, ttlOfHolder } from './waiting.ts';

export class LeaseCore extends Standing {
  private outputs: Output[] = [];

  /** Deadlines that have passed come first: an answer that comes after one finds the lease over. */
  step(input: Input, now: Now): readonly Output[] {
    this.outputs = [];
    this.passTime(now);
    this.take(input, now);
    this.passTime(now);
    this.state.last = now;
    return this.outputs;
  }

  /** From when a granted lease counts. Not from the answer, which may have taken any time. */
  protected grantedAt(call: PendingCall, _now: Now): Now {
    return call.sent;
  }

  /** How long a record must stand still: the ttl of its holder, not that of the candidate. */
  protected ttlToWait(record: LeaseRecord): number {
    return ttlOfHolder(record, this.candidacy.timing);
  }

  private passTime(now: Now): void {
    const { state } = this;
    const { requestMs, softMs, hardMs, ttlMs } = this.candidacy.timing;
    if (state.phase === 'leading' && this.leftOf(state.term!, softMs, now) <= 0) {
      this.lose(...causeOfExpiry(state, this.candidacy.timing, now));
    }
    if (state.phase === 'stopping' && this.leftOf(state.term!, hardMs, now) <= 0) this.overdue();
    if (state.phase === 'releasing' && this.leftOf(state.term!, hardMs, now) <= 0) this.end(false, now);
    const { current } = state;
    if (current !== null && now.monoMs - current.sent.monoMs >= requestMs) {
      giveUp(state, now.monoMs - ttlMs);
      this.fail('timeout', current.kind, now);
    }
    if (state.current !== null || state.nextMs > now.monoMs) return;
    if (state.phase === 'waiting') this.claim(now);
    else if (state.phase === 'releasing') this.release(now);
    else if (this.mayRenew(now)) this.renew(now);
  }

  private take(input: Input, now: Now): void {
    const { state } = this;
    switch (input.type) {
      case 'campaign':
        state.wants = true;
        if (state.phase === 'idle') this.wait(0, now);
        else if (state.phase === 'withdrawing') state.phase = 'claiming';
        return;
      case 'resign':
        this.resign(input.reason, input.heir, input.again, now);
        return;
      case 'beat':
        if (state.term === null) return;
        state.term.beatMs = now.monoMs;
        if (state.term.withheld && state.current === null) state.nextMs = now.monoMs;
        state.term.withheld = false;
        return;
      case 'settled':
        // In a term that still leads, the work has come to its end by itself.
        if (state.phase === 'leading') this.resign('released', null, state.wants, now);
        if (state.phase === 'stopping') this.startRelease(now);
        return;
      case 'hint':
        if (state.current !== null) state.hinted = true;
        else if (state.phase === 'waiting' || state.phase === 'leading') state.nextMs = now.monoMs;
        return;
      case 'gone':
        if (state.seen === null || state.seen.nonce !== input.nonce) return;
        state.seen = { ...state.seen, gone: true };
        // The claim on its way does not say so.
        if (state.current !== null) state.hinted = true;
        else if (state.phase === 'waiting') state.nextMs = now.monoMs;
        return;
      case 'tick':
        return;
      default:
        this.takeReply(input, now);
    }
  }

  private takeReply(input: Extract<Input, { readonly call: number }>, now: Now): void {
    const { state } = this;
    const isCurrent = state.current?.call === input.call;
    const call = takeCall(state, input.call);
    if (call === undefined) return;
    if (call.attempt !== state.attempt) return;
    if (input.type === 'failure') {
      // A late failure tells nothing: the call was given up already.
      if (isCurrent) this.fail(input.failure, call.kind, now);
    } else if (input.type === 'claim-answer') this.takeClaim(input.answer, call, isCurrent, now);
    else if (input.type === 'renewal-answer') this.takeRenewal(input.answer, call, isCurrent, now);
    else if (state.phase === 'releasing') this.end(input.answer.kind === 'ok', now);
    if (isCurrent && state.hinted) {
      state.hinted = false;
      if (state.phase === 'waiting' || state.phase === 'leading') state.nextMs = now.monoMs;
    }
  }

  private takeClaim(answer: ClaimAnswer, call: PendingCall, isCurrent: boolean, now: Now): void {
    const { state } = this;
    if (answer.kind === 'held') {
      if (!isCurrent) return;
      state.failures = 0;
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
    if (this.leftOf(term, this.candidacy.timing.softMs, now) <= 0) {
      // Too late to be of use: ask again, with the same nonce, for a lease with all its time.
      if (!begun) this.stop();
      else if (isCurrent) this.wait(0, now);
      return;
    }
    state.current = null;
    state.failures = 0;
    state.lastFailure = null;
    state.seen = null;
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

  private takeRenewal(answer: RenewalAnswer, call: PendingCall, isCurrent: boolean, now: Now): void {
    const { state } = this;
    const { phase, term } = state;
    if (phase !== 'leading' && !(phase === 'stopping' && term!.renewUntilMs !== null)) return;
    if (answer.kind === 'ok') {
      const granted = this.grantedAt(call, now);
      if (granted.monoMs > term!.granted.monoMs) term!.granted = granted;
      state.failures = 0;
      state.lastFailure = null;
      if (isCurrent) this.planRenewal(call.sent);
      const heir = phase === 'leading' ? heirOf(answer, term!, this.candidacy, now) : null;
      if (heir !== null) this.resign('transferred', heir, state.wants, now);
      return;
    }
    if (phase === 'leading') this.lose(answer.kind === 'lost' ? 'expired' : 'evicted', 0);
    term!.renewUntilMs = null;
    // Lost: by the store's clock it is over, and another may lead already.
    if (answer.kind === 'lost') this.overdue();
  }

  private fail(failure: CallFailure | 'timeout', kind: PendingCall['kind'], now: Now): void {
    const { state } = this;
    const { timing } = this.candidacy;
    this.outputs.push({ type: 'trouble', failure });
    state.failures++;
    state.lastFailure = failure;
    if (state.phase === 'withdrawing') this.stop();
    else if (state.phase === 'claiming') this.wait(1 + this.draw(backOffMs(state.failures, timing)), now);
    // A holder has no time to lose, and asks again soon.
    else if (kind !== 'claim') state.nextMs = now.monoMs + 1 + this.draw(Math.ceil(timing.requestMs / 4));
  }

  private resign(reason: LossReason, heir: string | null, again: boolean, now: Now): void {
    const { state } = this;
    // Whoever was asked to stop for good stays so, whatever the work wishes on its way out.
    state.wants &&= again;
    if (state.phase === 'leading') {
      this.lose(reason, 0);
      state.term!.heir = heir;
      state.term!.renewUntilMs = now.monoMs + this.candidacy.timing.graceMs;
    } else if (!again && state.phase === 'claiming') state.phase = 'withdrawing';
    else if (!again && state.phase === 'waiting') this.stop();
  }

  private lose(reason: LossReason, idleMs: number): void {
    this.state.phase = 'stopping';
    this.state.term!.reason = reason;
    this.outputs.push({ type: 'abort', reason, idleMs });
  }

  private overdue(): void {
    const term = this.state.term!;
    if (!term.overdue) this.outputs.push({ type: 'overdue' });
    term.overdue = true;
  }

  private startRelease(now: Now): void {
    const { state } = this;
    if (state.term!.overdue) {
      this.end(false, now);
      return;
    }
    state.current = null;
    state.phase = 'releasing';
    state.nextMs = now.monoMs;
  }

  private end(released: boolean, now: Now): void {
    const { state } = this;
    const { token, begun, reason } = state.term!;
    if (begun) this.outputs.push({ type: 'over', token, reason: reason!, released });
    if (!state.wants) {
      this.stop();
      return;
    }
    forgetTerm(this.state);
    // Others first: whoever steps down, or cannot hold on, should not be the next by habit.
    const half = Math.ceil(this.candidacy.timing.renewMs / 2);
    this.wait(reason === 'transferred' ? 2 * half : half + this.draw(half), now);
  }

  private stop(): void {
    forgetTerm(this.state);
    this.state.phase = 'idle';
    this.state.wants = false;
    this.outputs.push({ type: 'stopped' });
  }

  private wait(forMs: number, now: Now): void {
    this.state.phase = 'waiting';
    this.state.nextMs = now.monoMs + forMs;
  }

  private waitBehind(record: LeaseRecord, now: Now): void {
    const { state, candidacy } = this;
    this.outputs.push({ type: 'held', record });
    state.seen = sight(state.seen, record, this.ttlToWait(record), now);
    const spreadMs = this.draw(Math.floor(candidacy.timing.ttlMs / 50));
    this.wait(patienceMs(record, state.seen, candidacy, spreadMs, now), now);
  }

  private claim(now: Now): void {
    const { state } = this;
    const claim = claimOf(this.candidacy, this.nonce, state.seen, now);
    state.phase = 'claiming';
    this.outputs.push({ type: 'claim', call: newCall(state, 'claim', now), claim });
  }

  private renew(now: Now): void {
    const { state } = this;
    const { name, timing } = this.candidacy;
    const term = state.term!;
    if (state.phase === 'leading' && timing.beatMs !== null && now.monoMs - term.beatMs > timing.beatMs) {
      // No progress, no renewal, until the next beat.
      term.withheld = true;
      state.nextMs = now.monoMs + timing.renewMs;
      return;
    }
    const renewal = { name, nonce: this.nonce, token: term.token, ttlMs: timing.ttlMs };
    this.outputs.push({ type: 'renew', call: newCall(state, 'renew', now), renewal });
  }

  private release(now: Now): void {
    const { name, timing } = this.candidacy;
    const { token, heir, reason } = this.state.term!;
    const heirMs = keptForHeirMs(timing);
    const release = { name, nonce: this.nonce, token, reason: reason!, heir, heirMs };
    this.outputs.push({ type: 'release', call: newCall(this.state, 'release', now), release });
  }

  private planRenewal(sent: Now): void {
    this.state.nextMs = renewalDueMs(sent, this.candidacy.timing.renewMs, (most) => this.draw(most));
  }

  /** From 0 to `most`. */
  protected draw(most: number): number {
    if (most <= 0) return 0;
    this.state.lots = nextLot(this.state.lots);
    return this.state.lots % (most + 1);
  }
}
