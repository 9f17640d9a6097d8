/**
 * What a candidate can say of itself at any moment, without being stepped. Nothing here is cached: each answer is
 * worked out from the clocks that are given, so that a process which was stopped for a while does not believe what was
 * true before.
 */
import type { CandidateOptions } from './candidate-options.ts';
import { type CandidateState, initialState, type Phase } from './candidate-state.ts';
import type { ClockReading } from './clock-reading.ts';
import type { TermState } from './term-state.ts';

export abstract class Standing {
  protected state: CandidateState;

  constructor(protected readonly options: CandidateOptions) {
    this.state = initialState(options.seed);
  }

  /** May the work go on? Reads the clocks each time: the answer is true now, whenever the last step was. */
  isValid(now: ClockReading): boolean {
    const { phase, term } = this.state;
    return phase === 'leading' && this.leftOf(term!, this.options.timing.stopAfterMs, now) > 0;
  }

  /** What is left until the work must have stopped; 0 without a lease. */
  remainingMs(now: ClockReading): number {
    const { phase, term } = this.state;
    if ((phase !== 'leading' && phase !== 'stopping') || term!.overdue) return 0;
    return Math.max(0, this.leftOf(term!, this.options.timing.killAfterMs, now));
  }

  /** When the work must have stopped, by both clocks; null without a lease. */
  get deadline(): ClockReading | null {
    const { phase, term } = this.state;
    if ((phase !== 'leading' && phase !== 'stopping') || term!.overdue) return null;
    const { monoMs, wallMs } = term!.granted;
    const { killAfterMs } = this.options.timing;
    return { monoMs: monoMs + killAfterMs, wallMs: wallMs + killAfterMs };
  }

  get phase(): Phase {
    return this.state.phase;
  }

  /** The current attempt's own mark in the store. */
  get nonce(): string {
    return `${this.options.identity}.${this.state.attempt}`;
  }

  /** When to step again with a tick, by the monotonic clock; null if there is nothing to wait for. */
  get wakeMs(): number | null {
    const { phase, current, nextMs, term, last } = this.state;
    const { requestTimeoutMs, stopAfterMs, killAfterMs } = this.options.timing;
    const times: number[] = [];
    if (current !== null) times.push(current.sent.monoMs + requestTimeoutMs);
    else if (phase === 'waiting' || phase === 'releasing' || this.mayRenew(last)) times.push(nextMs);
    if (phase === 'leading') times.push(last.monoMs + this.leftOf(term!, stopAfterMs, last));
    if (phase === 'releasing' || (phase === 'stopping' && !term!.overdue)) {
      times.push(last.monoMs + this.leftOf(term!, killAfterMs, last));
    }
    return times.length === 0 ? null : Math.min(...times);
  }

  /** The send of the latest granted request, plus a duration, minus now: by the clock that says less. */
  protected leftOf({ granted }: TermState, durationMs: number, now: ClockReading): number {
    return Math.min(granted.monoMs + durationMs - now.monoMs, granted.wallMs + durationMs - now.wallMs);
  }

  protected mayRenew(now: ClockReading): boolean {
    const { phase, term } = this.state;
    if (phase === 'leading') return true;
    return (
      phase === 'stopping' && !term!.overdue && term!.renewUntilMs !== null && now.monoMs < term!.renewUntilMs
    );
  }
}
