/**
 * Observes the inputs and outputs of one process, and asks it at every event whether it leads. What the process may claim
 * follows from the answers that reached it: P2, and the order of its outputs.
 */

import type { ClockReading } from '../../../../src/lease/core/clock-reading.ts';
import type { LeaseCore } from '../../../../src/lease/core/lease-core.ts';
import type { Input, Output } from '../../../../src/lease/core/lease-event.ts';
import type { LeaseTiming } from '../../../../src/lease/core/timing.ts';
import { hold } from './invariant.ts';

export interface SentCall {
  readonly kind: 'acquire' | 'renew' | 'release';
  readonly nonce: string;
  readonly sent: ClockReading;
}

const MAX_MS = 5_000;
const MAX_UNNOTIFIED_MS = 2_000;
/** A second, and the rounding of two clocks. */
const LOOK_MS = 1_002;

export class LeaderObserver {
  /** No request before this time, on the monotonic clock. */
  #coolUntilMs = 0;
  #cooldownMs = 0;
  /** A candidate that learns of its eviction while it stops may stay out, too. */
  #mayBeOutUntilMs = 0;
  #maxBackMs = 0;
  /** Since when the deadline of a leader has passed unnoticed, on the monotonic clock of a machine that is awake. */
  #lateSinceMs: number | null = null;
  #stage: 'out' | 'elected' | 'aborted' | 'overdue' = 'out';
  #token = 0n;
  #wants = false;
  #isGivingBack = false;
  /** The nonce of the latest acquire request: answers to earlier attempts are ignored. */
  #nonce = '';
  /** The latest granted request that this process knows of. */
  #granted: (SentCall & { readonly token: bigint }) | null = null;

  constructor(
    private readonly timing: LeaseTiming,
    /** The holder of each token. */
    private readonly grants: ReadonlyMap<bigint, string>,
    /** The tokens of all terms of all candidates. */
    private readonly terms: Set<bigint>,
  ) {}

  sent({ kind, nonce }: SentCall): void {
    if (kind === 'acquire') this.#nonce = nonce;
  }

  wished(input: Input): void {
    if (input.type === 'campaign') this.#wants = true;
    if (input.type === 'release') this.#wants = input.again;
  }

  /**
   * A grant reached the process. A renewal that arrives after its deadline is ignored: for a leader, when the work should be
   * told to stop; during a release, when the work should be dead.
   */
  answered(call: SentCall, token: bigint | null, now: ClockReading): void {
    const granted = this.#granted;
    if (call.nonce !== this.#nonce) return;
    if (call.kind === 'acquire') {
      // The answer to a repeated request after the term began is not counted: the lease only ends earlier.
      if (this.#stage !== 'out') return;
      if (granted === null || granted.nonce !== call.nonce || call.sent.monoMs > granted.sent.monoMs) {
        this.#granted = { ...call, token: token! };
      }
    } else if (call.kind === 'renew' && granted !== null && granted.nonce === call.nonce) {
      const { stopAfterMs, killAfterMs } = this.timing;
      if (this.leftMs(this.#isGivingBack ? killAfterMs : stopAfterMs, now) <= 0) return;
      if (call.sent.monoMs <= granted.sent.monoMs) return;
      this.#granted = { ...call, token: granted.token };
    }
  }

  leftMs(durationMs: number, now: ClockReading): number {
    if (this.#granted === null) return 0;
    const { monoMs, wallMs } = this.#granted.sent;
    return Math.min(monoMs + durationMs - now.monoMs, wallMs + durationMs - now.wallMs);
  }

  said(output: Output, core: LeaseCore, isWorking: boolean, now: ClockReading): void {
    const stage = this.#stage;
    const inOrder = (isRight: boolean): void =>
      hold(isRight, 'order', () => `${output.type} came when the term was ${stage}`);
    switch (output.type) {
      case 'elected':
        inOrder(stage === 'out');
        hold(this.#wants, 'order', () => `${core.nonce} was elected after it had withdrawn`);
        hold(this.grants.get(output.token) === core.nonce, 'granted', () =>
          this.#notGranted(core, output.token),
        );
        hold(
          !this.terms.has(output.token),
          'rising tokens',
          () => `a second term with token ${output.token}`,
        );
        this.terms.add(output.token);
        this.#stage = 'elected';
        this.#isGivingBack = false;
        this.#cooldownMs = 0;
        this.#maxBackMs = 0;
        this.#token = output.token;
        return;
      case 'stopping':
        inOrder(stage === 'elected');
        this.#stage = 'aborted';
        this.#isGivingBack = output.reason === 'released' || output.reason === 'transferred';
        return;
      case 'overdue':
        inOrder(stage === 'aborted');
        this.#stage = 'overdue';
        return;
      case 'ended':
        inOrder((stage === 'aborted' || stage === 'overdue') && output.token === this.#token);
        hold(
          !isWorking,
          'work first',
          () => `the term of ${output.token} was called over while its work runs`,
        );
        this.#stage = 'out';
        this.#mayBeOutUntilMs = now.monoMs + Math.max(this.#maxBackMs, MAX_MS);
        this.#coolUntilMs =
          now.monoMs +
          Math.max(
            // An answer that came too late to be read does not bind the candidate.
            output.reason === 'evicted' ? this.#cooldownMs : 0,
            Math.ceil(Math.min(this.timing.renewEveryMs, MAX_MS) / 2),
          );
        return;
      case 'release':
        hold(!isWorking, 'work first', () => `${output.request.token} is given back while its work runs`);
        return;
      case 'acquire':
        hold(
          now.monoMs >= this.#coolUntilMs,
          'pause',
          () => `${core.nonce} asks ${this.#coolUntilMs - now.monoMs} ms early`,
        );
        inOrder(stage === 'out');
        return;
      case 'stopped':
        inOrder(stage === 'out');
    }
  }

  /** The answer to a renewal or a release said that an operator evicted the leader. */
  evicted({ nonce }: SentCall, cooldownMs: number): void {
    if (nonce !== this.#nonce) return;
    if (this.#stage === 'elected') this.#cooldownMs = cooldownMs;
    this.#maxBackMs = cooldownMs;
  }

  /** After each step: how long a candidate that was refused, or got no answer, waits for its next request. */
  waits(core: LeaseCore, outputs: readonly Output[], now: ClockReading, pushing: boolean): void {
    if (core.phase !== 'waiting' || this.#mayBeOutUntilMs > now.monoMs) return;
    const waitMs = core.wakeMs! - now.monoMs;
    const isRefused = outputs.some(({ type }) => type === 'waiting');
    const maxMs = isRefused && !pushing ? MAX_UNNOTIFIED_MS : MAX_MS;
    hold(waitMs <= maxMs + 1, 'asks often', () => `${core.nonce} waits ${waitMs} ms`);
  }

  fellAsleep(): void {
    this.#lateSinceMs = null;
  }

  /** Called at every event while the process runs: a leader whose deadline has passed must notice it soon. */
  looked(core: LeaseCore, now: ClockReading): void {
    const isLate = core.phase === 'leading' && this.leftMs(this.timing.stopAfterMs, now) <= 0;
    if (!isLate) this.#lateSinceMs = null;
    else this.#lateSinceMs ??= now.monoMs;
    const lateMs = isLate ? now.monoMs - this.#lateSinceMs! : 0;
    hold(lateMs <= LOOK_MS, 'looks often', () => `${core.nonce} has been late for ${lateMs} ms`);
  }

  /** After each step: a deadline that has passed must have been reported. */
  stepped(core: LeaseCore, now: ClockReading): void {
    const { stopAfterMs, killAfterMs } = this.timing;
    const stage = this.#stage;
    const isTold = stage !== 'elected' || this.leftMs(stopAfterMs, now) > 0;
    hold(isTold, 'deadline', () => `${core.nonce} looked at the clock, and the work was not told to stop`);
    const mustDie = stage === 'aborted' && core.phase === 'stopping' && this.leftMs(killAfterMs, now) <= 0;
    hold(
      !mustDie,
      'deadline',
      () => `${core.nonce} looked at the clock, and the work was not called overdue`,
    );
  }

  /** Called at every event. True if the process claims leadership. */
  leads(core: LeaseCore, now: ClockReading): boolean {
    const remainingMs = core.remainingMs(now);
    const killMs = Math.max(0, this.leftMs(this.timing.killAfterMs, now));
    hold(
      remainingMs <= killMs,
      'deadline',
      () => `${core.nonce} says ${remainingMs} ms remain, and ${killMs} do`,
    );
    if (!core.isValid(now)) return false;
    hold(this.#stage === 'elected', 'order', () => `it leads when the term is ${this.#stage}`);
    const granted = this.#granted;
    hold(
      granted !== null && granted.nonce === core.nonce && this.grants.get(this.#token) === core.nonce,
      'granted',
      () => this.#notGranted(core, this.#token),
    );
    const leftMs = this.leftMs(this.timing.stopAfterMs, now);
    hold(leftMs > 0, 'deadline', () => `${core.nonce} leads with ${leftMs} ms left`);
    hold(remainingMs > 0, 'deadline', () => `${core.nonce} leads, and says that nothing remains`);
    return true;
  }

  #notGranted(core: LeaseCore, token: bigint): string {
    return `${core.nonce} leads with ${token}, which was granted to ${this.grants.get(token) ?? 'nobody'}`;
  }
}
