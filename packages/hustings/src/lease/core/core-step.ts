/**
 * One step of a candidate while it is computed: the phase so far, the outputs so far, and what every phase can do. The step
 * owns its memory, a copy, and writes to it. Everything else that it was given stays as it was.
 */
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
  readonly memory: { -readonly [Key in keyof Memory]: Memory[Key] };
  phase: Phase;

  constructor(
    { phase, memory }: CandidateState,
    readonly options: CandidateOptions,
    readonly rules: SafetyRules,
    readonly now: ClockReading,
  ) {
    this.phase = phase;
    this.memory = { ...memory };
  }

  get nonce(): string {
    return this.rules.nonceOf(this.memory.attempt);
  }

  /** Enters a phase, or changes the present one. */
  become(phase: Phase): void {
    this.phase = phase;
  }

  /** A pseudo-random number from 0 to `most`. */
  draw(most: number): number {
    if (most <= 0) return 0;
    this.memory.prngState = nextRandom(this.memory.prngState);
    return this.rules.choose(this.memory.prngState, most);
  }

  newCall(type: PendingCall['type']): PendingCall {
    invariant(this.phase.current === null, 'a candidate waits for one call at a time');
    const call = ++this.memory.calls;
    return { call, type, sent: this.now };
  }

  /** A new attempt has a new nonce and waits for no answer of the attempt before. */
  startAttempt(): void {
    this.memory.attempt++;
    this.memory.late = [];
    this.memory.notified = false;
  }

  /** The next request is sent at `nextMs`, but not before the pause after an own term is over. */
  wait(nextMs: number, errors: number, observed: ObservedRecord | null): void {
    const dueMs = Math.max(nextMs, this.memory.pausedUntilMs);
    this.become({ type: 'waiting', current: null, nextMs: dueMs, errors, observed });
  }

  stop(): void {
    this.startAttempt();
    this.become({ type: 'idle', current: null });
    this.outputs.push({ type: 'stopped' });
  }
}
