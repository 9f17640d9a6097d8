/** One step of a candidate while it is computed: the state so far, the outputs so far, and what every phase can do. */
import type { CandidateOptions } from './candidate-options.ts';
import type { CandidateState, Memory, ObservedRecord, Phase } from './candidate-state.ts';
import type { ClockReading } from './clock-reading.ts';
import { invariant } from './invariant.ts';
import type { Output } from './lease-event.ts';
import type { LeaseRecord } from './lease-record.ts';
import type { PendingCall } from './pending-call.ts';
import { nextRandom } from './prng.ts';

/** The decisions on which safety rests. They are methods of `LeaseCore`, so that a mutant can replace one of them. */
export interface SafetyRules {
  grantedAt(call: PendingCall, now: ClockReading): ClockReading;
  ttlToWait(record: LeaseRecord): number;
  remaining(granted: ClockReading, durationMs: number, now: ClockReading): number;
  choose(random: number, most: number): number;
  nonceOf(attempt: number): string;
}

export class CoreStep {
  readonly outputs: Output[] = [];

  constructor(
    public state: CandidateState,
    readonly options: CandidateOptions,
    readonly rules: SafetyRules,
    readonly now: ClockReading,
  ) {}

  get nonce(): string {
    return this.rules.nonceOf(this.state.attempt);
  }

  /** Enters a phase, or changes the present one. Memory that `phase` carries along is ignored. */
  become(phase: Phase): void {
    const { attempt, calls, late, notified, pausedUntilMs, briefTerms, last, prngState } = this.state;
    const memory = { attempt, calls, late, notified, pausedUntilMs, briefTerms, last, prngState };
    this.state = { ...phase, ...memory };
  }

  remember(change: Partial<Memory>): void {
    this.state = { ...this.state, ...change };
  }

  /** A pseudo-random number from 0 to `most`. */
  draw(most: number): number {
    if (most <= 0) return 0;
    const prngState = nextRandom(this.state.prngState);
    this.remember({ prngState });
    return this.rules.choose(prngState, most);
  }

  newCall(type: PendingCall['type']): PendingCall {
    invariant(this.state.current === null, 'a candidate waits for one call at a time');
    const call = this.state.calls + 1;
    this.remember({ calls: call });
    return { call, type, attempt: this.state.attempt, sent: this.now };
  }

  /** A new attempt has a new nonce and waits for no answer of the attempt before. */
  startAttempt(): void {
    this.remember({ attempt: this.state.attempt + 1, late: [], notified: false });
  }

  /** The next request is sent at `nextMs`, but not before the pause after an own term is over. */
  wait(nextMs: number, errors: number, observed: ObservedRecord | null): void {
    const dueMs = Math.max(nextMs, this.state.pausedUntilMs);
    this.become({ type: 'waiting', current: null, nextMs: dueMs, errors, observed });
  }

  stop(): void {
    this.startAttempt();
    this.become({ type: 'idle', current: null });
    this.outputs.push({ type: 'stopped' });
  }
}
