/**
 * Drives the pure core with real clocks, timers and a store: carries its calls out, brings the answers back, and wakes
 * it in time. It decides nothing.
 *
 * Keeps the process alive while the candidate campaigns, leads or stops; not when it is idle.
 */
import type { Candidacy } from '../lease/core/candidate-options.ts';
import { LeaseCore } from '../lease/core/lease-core.ts';
import type { CallFailure, Input, Now, Output } from '../lease/core/lease-event.ts';
import type { Timing } from '../lease/core/timing.ts';
import { StoreError } from '../lease/store-error.ts';
import { HolderWatch } from './holder-watch.ts';
import type { Clock } from './process-clock.ts';
import type { StoreCalls } from './store-calls.ts';

/** What the core says, besides its calls, and what only the driver can tell. */
export type CandidateEvent =
  | Exclude<Output, { readonly type: 'claim' | 'renew' | 'release' | 'trouble' | 'abort' }>
  /** `cpuMs` is the processor time that the process took since the core was stepped before. */
  | (Output & { readonly type: 'abort' } & { readonly cpuMs: number })
  /** A renewal was granted: the work must have stopped by `deadline`. `marginMs` is what was left when it came. */
  | { readonly type: 'renewed'; readonly deadline: Now; readonly marginMs: number }
  | { readonly type: 'answered'; readonly roundTripMs: number }
  | { readonly type: 'trouble'; readonly failure: CallFailure | 'timeout'; readonly error: unknown }
  /** A timer fired so much later than it was set for. */
  | { readonly type: 'late'; readonly lateMs: number };

export class Candidate {
  private readonly core: LeaseCore;
  private readonly holders: HolderWatch;
  private readonly inputs: Input[] = [];
  private isStepping = false;
  private timer: NodeJS.Timeout | null = null;
  private dueMs = 0;
  private unwatch: (() => void) | null = null;
  private lastError: unknown = null;
  private cpu = process.cpuUsage();

  constructor(
    private readonly candidacy: Candidacy,
    private readonly calls: StoreCalls,
    private readonly clock: Clock,
    private readonly onEvent: (event: CandidateEvent) => void,
  ) {
    this.core = new LeaseCore(candidacy);
    this.holders = new HolderWatch((nonce) => this.send({ type: 'gone', nonce }));
  }

  get timing(): Timing {
    return this.candidacy.timing;
  }

  isValid(): boolean {
    return this.core.isValid(this.clock.now());
  }

  remainingMs(): number {
    return this.core.remainingMs(this.clock.now());
  }

  /** Until when the work must have stopped, by both clocks; null without a lease. */
  get deadline(): Now | null {
    return this.core.deadline;
  }

  get nonce(): string {
    return this.core.nonce;
  }

  /** An event that leads to another input is finished first: the core is never entered twice. */
  send(input: Input): void {
    this.inputs.push(input);
    if (this.isStepping) return;
    this.isStepping = true;
    try {
      for (let next = this.inputs.shift(); next !== undefined; next = this.inputs.shift()) {
        const { deadline } = this.core;
        const marginMs = this.remainingMs();
        for (const output of this.core.step(next, this.clock.now())) this.perform(output);
        const later = this.core.deadline;
        if (deadline !== null && later !== null && later.monoMs > deadline.monoMs) {
          this.onEvent({ type: 'renewed', deadline: later, marginMs });
        }
      }
    } finally {
      this.isStepping = false;
      this.cpu = process.cpuUsage();
    }
    this.setAlarm();
  }

  private perform(output: Output): void {
    switch (output.type) {
      case 'claim':
        this.unwatch ??= this.watch();
        this.bring(this.calls.claim(output.claim), output.call, (answer) => ({
          type: 'claim-answer',
          call: output.call,
          answer,
        }));
        return;
      case 'renew':
        this.bring(this.calls.renew(output.renewal), output.call, (answer) => ({
          type: 'renewal-answer',
          call: output.call,
          answer,
        }));
        return;
      case 'release':
        this.bring(this.calls.release(output.release), output.call, (answer) => ({
          type: 'release-answer',
          call: output.call,
          answer,
        }));
        return;
      case 'trouble': {
        const error = output.failure === 'timeout' ? null : this.lastError;
        this.onEvent({ type: 'trouble', failure: output.failure, error });
        return;
      }
      case 'abort': {
        const { user, system } = process.cpuUsage(this.cpu);
        this.onEvent({ ...output, cpuMs: (user + system) / 1000 });
        return;
      }
      case 'held':
        this.holders.see(output.record);
        break;
      case 'elected':
        this.holders.stop();
        break;
      case 'stopped':
        this.holders.stop();
        this.unwatch?.();
        this.unwatch = null;
    }
    this.onEvent(output);
  }

  private bring<Answer>(asked: Promise<Answer>, call: number, inputOf: (answer: Answer) => Input): void {
    const sentMs = performance.now();
    asked.then(
      (answer) => {
        this.onEvent({ type: 'answered', roundTripMs: performance.now() - sentMs });
        this.send(inputOf(answer));
      },
      (error: unknown) => {
        this.lastError = error;
        this.send({ type: 'failure', call, failure: failureOf(error) });
      },
    );
  }

  private watch(): () => void {
    return this.calls.store.watch?.(this.candidacy.name, () => this.send({ type: 'hint' })) ?? (() => {});
  }

  private setAlarm(): void {
    const { wakeMs } = this.core;
    if (this.timer !== null) {
      if (wakeMs === this.dueMs) return;
      clearTimeout(this.timer);
      this.timer = null;
    }
    if (wakeMs === null) return;
    this.dueMs = wakeMs;
    // Rounded up: a timer must not fire before its time and find nothing to do.
    const delayMs = Math.max(0, wakeMs - this.clock.now().monoMs) + 1;
    this.timer = setTimeout(() => this.wake(wakeMs), Math.min(delayMs, 2 ** 31 - 1));
  }

  private wake(dueMs: number): void {
    this.timer = null;
    const lateMs = this.clock.now().monoMs - dueMs;
    if (lateMs > 0) this.onEvent({ type: 'late', lateMs });
    this.send({ type: 'tick' });
  }
}

function failureOf(error: unknown): CallFailure {
  if (!(error instanceof StoreError)) return 'unreachable';
  if (error.trouble === 'unreachable' || error.trouble === 'busy') return error.trouble;
  return 'refused';
}
