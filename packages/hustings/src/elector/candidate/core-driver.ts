/**
 * Drives the pure core with real clocks, timers and a store: carries out its calls, delivers the answers, and wakes it in
 * time. It decides nothing.
 *
 * Keeps the process alive while the candidate campaigns, leads or stops; not when it is idle.
 */
import type { AcquireRequest } from '../../lease/core/calls.ts';
import type { CandidateOptions } from '../../lease/core/candidate-options.ts';
import type { ClockReading } from '../../lease/core/clock-reading.ts';
import { LeaseCore } from '../../lease/core/lease-core.ts';
import type { Input, Output } from '../../lease/core/lease-event.ts';
import { StoreError, type StoreErrorKind } from '../../lease/core/store-error.ts';
import type { LeaseTiming } from '../../lease/core/timing.ts';
import { markCandidate } from '../../lease/host/candidate-mark.ts';
import type { Clock } from '../../lease/host/process-clock.ts';
import { successorProblem } from '../../lease/named-successor.ts';
import { setLongTimeout, startTimer, within } from '../timeouts.ts';
import type { CallHooks, CandidateCalls, HeldLease } from './candidate-calls.ts';
import { checkClocksAfterSleep } from './clock-watchdog.ts';
import { processorTime } from './processor-time.ts';

/** The outputs of the core, without its calls, and what only the driver knows. */
export type DriverEvent =
  | Exclude<Output, { readonly type: 'acquire' | 'renew' | 'release' | 'store-error' | 'stopping' }>
  /** `cpuMs` is the processor time that the process used since the previous step of a core, or shortly before it. */
  | (Output & { readonly type: 'stopping' } & { readonly cpuMs: number })
  /** A renewal was granted: the work must have stopped by `deadline`. `marginMs` was left when it arrived. */
  | { readonly type: 'renewed'; readonly deadline: ClockReading; readonly marginMs: number }
  | { readonly type: 'answered'; readonly roundTripMs: number }
  | { readonly type: 'store-error'; readonly kind: StoreErrorKind | 'timeout'; readonly error: unknown }
  /** A timer fired `lateMs` after the time it was set for. */
  | { readonly type: 'late'; readonly lateMs: number };

export class CoreDriver {
  private readonly core: LeaseCore;
  private readonly calls: CandidateCalls;
  private readonly inputs: Input[] = [];
  private isStepping = false;
  private cancelTimer: (() => void) | null = null;
  private dueMs = 0;
  private readonly election: string;
  private unwatch: (() => void) | null = null;
  private unmark: (() => void) | null = null;
  private stopClockChecks: (() => void) | null = null;
  private lastError: unknown = null;
  /** The nonce under which the store lists this candidate as waiting. */
  private registered: string | null = null;

  constructor(
    private readonly options: CandidateOptions,
    label: string,
    callsWith: (hooks: CallHooks) => CandidateCalls,
    private readonly clock: Clock,
    private readonly onEvent: (event: DriverEvent) => void,
  ) {
    this.core = new LeaseCore(options);
    // Distinguishes elections of one name in two stores.
    this.election = `${label} ${options.name}`;
    this.calls = callsWith({ election: this.election, send: (input) => this.send(input) });
  }

  get timing(): LeaseTiming {
    return this.options.timing;
  }

  isValid(): boolean {
    return this.core.isValid(this.clock.now());
  }

  remainingMs(): number {
    return this.core.remainingMs(this.clock.now());
  }

  /** How long a renewal may still carry an update. */
  renewableMs(): number {
    return this.core.renewableMs(this.clock.now());
  }

  /** Calls back after `delayMs` on the clock of the candidate. Returns a function that cancels it. */
  after(delayMs: number, call: () => void): () => void {
    return setLongTimeout(call, delayMs, this.clock);
  }

  /** When the work must have stopped, on both clocks; null without a lease. */
  get deadline(): ClockReading | null {
    return this.core.deadline;
  }

  get nonce(): string {
    return this.core.nonce;
  }

  /** The leases of the term that leads with this token. */
  leasesOf(token: bigint): readonly HeldLease[] {
    return this.calls.leasesOf(this.nonce, token);
  }

  /** Why the lease cannot be handed over to this candidate; null if it waits, or `isOver`. */
  successorProblem(name: string, to: string, isOver: () => boolean): Promise<string | null> {
    const { calls, clock } = this;
    const { store } = calls;
    const limited = <Answer>(asked: Promise<Answer>): Promise<Answer> =>
      within(this.timing.requestTimeoutMs, asked, store.label, clock);
    return successorProblem(
      {
        history: (...query) => limited(store.history(...query)),
        time: () => limited(store.time()),
      },
      {
        ...{ name, to, isOver },
        candidates: () => limited(calls.candidates()),
        sleep: (delayMs) => new Promise((resolve) => startTimer(clock, resolve, delayMs)),
      },
    );
  }

  /** An input that an event handler sends waits until the step has finished: the core is not reentrant. */
  send(input: Input): void {
    this.inputs.push(input);
    if (this.isStepping) return;
    this.isStepping = true;
    try {
      for (let next = this.inputs.shift(); next !== undefined; next = this.inputs.shift()) {
        if (next.type === 'renew-answer') this.takeRenewal(next);
        else this.step(next, this.clock.now());
      }
    } finally {
      this.isStepping = false;
      processorTime.sample();
    }
    this.setTimer();
  }

  /** No other input moves the deadline. */
  private takeRenewal(input: Input & { readonly type: 'renew-answer' }): void {
    const now = this.clock.now();
    const { deadline } = this.core;
    const marginMs = this.core.remainingMs(now);
    this.step(input, now);
    const later = this.core.deadline;
    if (deadline !== null && later !== null && later.monoMs > deadline.monoMs) {
      this.onEvent({ type: 'renewed', deadline: later, marginMs });
    }
  }

  private step(input: Input, now: ClockReading): void {
    for (const output of this.core.step(input, now)) this.perform(output);
  }

  private perform(output: Output): void {
    switch (output.type) {
      case 'acquire':
        this.unwatch ??= this.calls.watch();
        this.unmark ??= markCandidate(this.election);
        this.acquire(output);
        return;
      case 'renew':
        this.ask(this.calls.renew(output.request), output.call, (answer) => ({
          type: 'renew-answer',
          call: output.call,
          answer,
        }));
        return;
      case 'release':
        this.ask(this.calls.release(output.request), output.call, (answer) => ({
          type: 'release-answer',
          call: output.call,
          answer,
        }));
        return;
      case 'store-error': {
        const error = output.kind === 'timeout' ? null : this.lastError;
        this.onEvent({ type: 'store-error', kind: output.kind, error });
        return;
      }
      case 'stopping': {
        this.onEvent({ ...output, cpuMs: processorTime.sinceSampleMs() });
        return;
      }
      case 'waiting':
        this.calls.observe(output.record);
        break;
      case 'elected':
        this.calls.observe(null);
        this.stopClockChecks ??= checkClocksAfterSleep(this.clock, () => this.checkClocks());
        break;
      case 'ended':
        this.stopClockChecks?.();
        this.stopClockChecks = null;
        if (!output.released) this.calls.abandon?.();
        break;
      case 'stopped':
        this.calls.observe(null);
        this.unwatch?.();
        this.unwatch = null;
        this.unmark?.();
        this.unmark = null;
        if (this.registered !== null) {
          void this.withdraw(this.registered).then(() => this.onEvent(output));
          return;
        }
    }
    this.onEvent(output);
  }

  /** Others must not hand over to a candidate that has given up. If it fails, the registration expires. */
  private async withdraw(nonce: string): Promise<void> {
    if (nonce === this.registered) this.registered = null;
    const { name, timing } = this.options;
    const withdrawal = this.calls.withdraw({ name, nonce });
    const { label } = this.calls.store;
    await within(timing.requestTimeoutMs, withdrawal, label, this.clock).catch(() => undefined);
  }

  private acquire({ request, call }: Output & { readonly type: 'acquire' }): void {
    const asked = this.calls.acquire(request);
    this.ask(asked, call, (answer) => {
      if (request.nonce === this.nonce) this.registered = answer.type === 'held' ? request.nonce : null;
      else if (answer.type === 'held') void this.withdraw(request.nonce);
      const pushing = this.calls.store.isPushing();
      return { type: 'acquire-answer', call, answer, pushing };
    });
    // After the core has taken the answer. A grant of an attempt that is over would keep the lease from all for one TTL.
    asked.then(
      (answer) => {
        if (answer.type === 'ok' && request.nonce !== this.nonce) this.releaseUnused(request, answer.token);
      },
      () => undefined,
    );
  }

  /** If it fails, the lease expires. */
  private releaseUnused({ name, nonce }: AcquireRequest, token: bigint): void {
    const request = { name, nonce, token, reason: 'released', successor: null, reserveMs: 0 } as const;
    this.calls.release(request).catch(() => undefined);
  }

  private ask<Answer>(asked: Promise<Answer>, call: number, inputOf: (answer: Answer) => Input): void {
    const sentMs = performance.now();
    asked.then(
      (answer) => {
        this.onEvent({ type: 'answered', roundTripMs: performance.now() - sentMs });
        this.send(inputOf(answer));
      },
      (error: unknown) => {
        this.lastError = error;
        const kind = error instanceof StoreError ? error.kind : 'unreachable';
        this.send({ type: 'store-error', call, kind });
      },
    );
  }

  private setTimer(): void {
    const { dueMs } = this.core;
    if (this.cancelTimer !== null) {
      if (dueMs === this.dueMs) return;
      this.cancelTimer();
      this.cancelTimer = null;
    }
    if (dueMs === null) return;
    this.dueMs = dueMs;
    // Rounded up: a timer that fires early finds nothing to do.
    const delayMs = Math.max(0, dueMs - this.clock.now().monoMs) + 1;
    this.cancelTimer = startTimer(this.clock, () => this.wake(dueMs), delayMs);
  }

  /** Reads the clocks, and takes a step if a deadline has passed: a process that was suspended has late timers. */
  checkClocks(): void {
    if (this.core.isClockCheckDue(this.clock.now())) this.send({ type: 'tick' });
  }

  private wake(dueMs: number): void {
    this.cancelTimer = null;
    const lateMs = this.clock.now().monoMs - dueMs;
    if (lateMs > 0) this.onEvent({ type: 'late', lateMs });
    this.send({ type: 'tick' });
  }
}
