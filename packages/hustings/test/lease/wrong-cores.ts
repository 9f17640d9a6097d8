/**
 * Mutants of the lease core, each with one overridden method. The simulation and the model checker must catch all of them.
 */

import { type ClockReading, earlier } from '../../src/lease/core/clock-reading.ts';
import type { LeaseCore } from '../../src/lease/core/lease-core.ts';
import type { Input, Output } from '../../src/lease/core/lease-event.ts';
import type { LeaseRecord } from '../../src/lease/core/lease-record.ts';
import type { PendingCall } from '../../src/lease/core/pending-call.ts';
import { ttlOfHolder } from '../../src/lease/core/waiting.ts';

export type CoreClass = typeof LeaseCore;

export const countsFromReply = (Base: CoreClass): CoreClass =>
  class extends Base {
    override grantedAt(_call: PendingCall, now: ClockReading): ClockReading {
      return now;
    }
  };

export const cachesLeadership = (Base: CoreClass): CoreClass =>
  class extends Base {
    override isValid(): boolean {
      return this.phase === 'leading';
    }
  };

export const trustsWallClock = (Base: CoreClass): CoreClass =>
  class extends Base {
    override remaining(granted: ClockReading, durationMs: number, now: ClockReading): number {
      return granted.wallMs + durationMs - now.wallMs;
    }
  };

export const trustsMonotonicClock = (Base: CoreClass): CoreClass =>
  class extends Base {
    override remaining(granted: ClockReading, durationMs: number, now: ClockReading): number {
      return granted.monoMs + durationMs - now.monoMs;
    }
  };

export const waitsForOwnTtl = (Base: CoreClass): CoreClass =>
  class extends Base {
    override ttlToWait(record: LeaseRecord): number {
      const { timing } = this.options;
      return ttlOfHolder({ ...record, durationMs: timing.ttlMs }, timing);
    }
  };

export const releasesBeforeWorkIsDead = (Base: CoreClass): CoreClass =>
  class extends Base {
    override step(input: Input, now: ClockReading): readonly Output[] {
      const outputs = super.step(input, now);
      const isTold = outputs.some(({ type }) => type === 'stopping');
      return isTold ? [...outputs, ...super.step({ type: 'settled' }, now)] : outputs;
    }
  };

export const neverSaysOverdue = (Base: CoreClass): CoreClass =>
  class extends Base {
    override step(input: Input, now: ClockReading): readonly Output[] {
      return super.step(input, now).filter(({ type }) => type !== 'overdue');
    }
  };

export const callsStaleEarly = (Base: CoreClass): CoreClass =>
  class extends Base {
    override ttlToWait(record: LeaseRecord): number {
      return Math.ceil(super.ttlToWait(record) / 2);
    }
  };

export const notificationEndsPause = (Base: CoreClass): CoreClass =>
  class extends Base {
    override step(input: Input, now: ClockReading): readonly Output[] {
      if (input.type === 'notification') {
        this.state = { ...this.state, memory: { ...this.state.memory, pausedUntilMs: 0 } };
      }
      return super.step(input, now);
    }
  };

export const returnsAfterEviction = (Base: CoreClass): CoreClass =>
  class extends Base {
    override step(input: Input, now: ClockReading): readonly Output[] {
      const isEvicted = input.type === 'renew-answer' && input.answer.type === 'evicted';
      return super.step(isEvicted ? { ...input, answer: { type: 'evicted', cooldownMs: 0 } } : input, now);
    }
  };

export const neverLooks = (Base: CoreClass): CoreClass =>
  class extends Base {
    protected override get lookEveryMs(): number {
      return Number.POSITIVE_INFINITY;
    }
  };

export const asksOncePerTtl = (Base: CoreClass): CoreClass =>
  class extends Base {
    override step(input: Input, now: ClockReading): readonly Output[] {
      const outputs = super.step(input, now);
      const { phase } = this.state;
      if (phase.type === 'waiting' && outputs.some(({ type }) => type === 'waiting')) {
        const nextMs = now.monoMs + this.options.timing.ttlMs;
        this.state = { ...this.state, phase: { ...phase, nextMs } };
      }
      return outputs;
    }
  };

export const releasesWhenOverdue = (Base: CoreClass): CoreClass =>
  class extends Base {
    override step(input: Input, now: ClockReading): readonly Output[] {
      const outputs = super.step(input, now);
      const isOverdue = outputs.some(({ type }) => type === 'overdue');
      return isOverdue ? [...outputs, ...super.step({ type: 'settled' }, now)] : outputs;
    }
  };

export const renewsStalledWork = (Base: CoreClass): CoreClass =>
  class extends Base {
    override step(input: Input, now: ClockReading): readonly Output[] {
      const { phase } = this.state;
      if ('term' in phase) {
        const term = { ...phase.term, progressMs: now.monoMs };
        this.state = { ...this.state, phase: { ...phase, term } };
      }
      return super.step(input, now);
    }
  };

/** The next attempt still waits for the answers of the attempt before. */
export const awaitsEarlierAttempt = (Base: CoreClass): CoreClass =>
  class extends Base {
    override step(input: Input, now: ClockReading): readonly Output[] {
      const { phase, memory } = this.state;
      const outputs = super.step(input, now);
      if (this.state.memory.attempt > memory.attempt) {
        const answered = 'call' in input ? input.call : null;
        const late = [...memory.late, ...(phase.current === null ? [] : [phase.current])];
        const memoryAfter = { ...this.state.memory, late: late.filter(({ call }) => call !== answered) };
        this.state = { ...this.state, memory: memoryAfter };
      }
      return outputs;
    }
  };

export const olderGrantReplacesNewer = (Base: CoreClass): CoreClass =>
  class extends Base {
    override step(input: Input, now: ClockReading): readonly Output[] {
      const { phase, memory } = this.state;
      const outputs = super.step(input, now);
      if (input.type !== 'renew-answer' || input.answer.type !== 'ok') return outputs;
      const call = [phase.current, ...memory.late].find((each) => each?.call === input.call);
      const after = this.state.phase;
      if (after.type === 'leading' && call) {
        const granted = earlier(this.grantedAt(call, now), input.answer.ageMs ?? 0);
        this.state = { ...this.state, phase: { ...after, term: { ...after.term, granted } } };
      }
      return outputs;
    }
  };
