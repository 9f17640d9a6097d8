/** A core with clocks and answers that a test controls. TTL 15 s: renewed every 3, timeout 2, stop after 11, kill after 14. */
import type { CandidateOptions } from '../../../src/lease/core/candidate-options.ts';
import { LeaseCore } from '../../../src/lease/core/lease-core.ts';
import type { Input, Output } from '../../../src/lease/core/lease-event.ts';
import type { LeaseRecord } from '../../../src/lease/core/lease-record.ts';
import type { StoreErrorKind } from '../../../src/lease/core/store-error.ts';
import { scaledTiming, type TimingOptions } from '../../../src/lease/core/timing.ts';

type Sent = Extract<Output, { readonly call: number }>;

export class ScriptedCandidate {
  readonly core: LeaseCore;
  monoMs = 1_000;
  wallMs = 5_000_000;
  /** Notifications of the store arrive. */
  pushing = false;
  /** The outputs of the latest step. */
  outputs: readonly Output[] = [];
  /** All calls so far. */
  readonly calls: Sent[] = [];

  constructor(options: Partial<CandidateOptions> = {}, timing: TimingOptions = {}) {
    this.core = new LeaseCore({
      name: 'billing',
      id: 'ann',
      identity: 'ann-1',
      priority: 0,
      processProof: '',
      timing: scaledTiming(timing.ttlMs ?? 15_000, timing),
      holdAtLeastMs: 0,
      seed: 1,
      ...options,
    });
  }

  get now() {
    return { monoMs: this.monoMs, wallMs: this.wallMs };
  }

  get isValid(): boolean {
    return this.core.isValid(this.now);
  }

  get remainingMs(): number {
    return this.core.remainingMs(this.now);
  }

  get lastCall(): Sent {
    return this.calls.at(-1)!;
  }

  step(input: Input): readonly string[] {
    this.outputs = this.core.step(input, this.now);
    for (const output of this.outputs) if ('call' in output) this.calls.push(output);
    return this.outputs.map(({ type }) => type);
  }

  /** Time passes for both clocks, and nobody looks. */
  idle(ms: number): void {
    this.monoMs += ms;
    this.wallMs += ms;
  }

  /** The machine sleeps: only the wall clock runs. */
  sleep(ms: number): void {
    this.wallMs += ms;
  }

  /** Time passes, and each timer comes on time. The types of all outputs, in order. */
  pass(ms: number): readonly string[] {
    const endMs = this.monoMs + ms;
    const types: string[] = [];
    for (;;) {
      const { wakeMs } = this.core;
      if (wakeMs === null || wakeMs > endMs) break;
      this.idle(Math.max(0, wakeMs - this.monoMs));
      types.push(...this.step({ type: 'tick' }));
    }
    this.idle(endMs - this.monoMs);
    return types;
  }

  grant(token = 1n, call = this.lastCall.call): readonly string[] {
    const answer = { type: 'ok', token, checkpoint: null } as const;
    return this.step({ type: 'acquire-answer', call, answer, pushing: this.pushing });
  }

  refuse(record: LeaseRecord, call = this.lastCall.call): readonly string[] {
    return this.step({
      type: 'acquire-answer',
      call,
      answer: { type: 'held', record },
      pushing: this.pushing,
    });
  }

  renewed(call = this.lastCall.call): readonly string[] {
    return this.step({
      type: 'renew-answer',
      call,
      answer: { type: 'ok', challenger: null, transferTo: null },
    });
  }

  released(type: 'ok' | 'lost' = 'ok'): readonly string[] {
    return this.step({ type: 'release-answer', call: this.lastCall.call, answer: { type } });
  }

  fail(kind: StoreErrorKind, call = this.lastCall.call): readonly string[] {
    return this.step({ type: 'store-error', call, kind });
  }

  /** Campaigns, and is granted its first claim at once. */
  elect(token = 1n): this {
    this.step({ type: 'campaign' });
    this.grant(token);
    return this;
  }

  /** Time passes until the next renewal is sent. */
  untilRenewal(): this {
    while (!this.pass(100).includes('renew'));
    return this;
  }
}

export function heldBy(nonce: string, change: Partial<LeaseRecord> = {}): LeaseRecord {
  return {
    name: 'billing',
    token: 7n,
    holder: { id: 'bob', nonce, ttlMs: 15_000, priority: 0, processProof: '', evicted: false },
    remainingMs: 10_000,
    durationMs: 15_000,
    version: 70n,
    successor: null,
    metadata: null,
    checkpoint: null,
    ...change,
  };
}
