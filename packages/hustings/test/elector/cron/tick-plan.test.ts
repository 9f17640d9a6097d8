import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CronSchedule } from '../../../src/elector/cron/schedule.ts';
import { planTicks, type TickFacts } from '../../../src/elector/cron/tick-plan.ts';

/** A tick every 10. */
const tens: CronSchedule = {
  latestUntil: (ms) => Math.floor(ms / 10) * 10,
  nextAfter: (ms) => Math.floor(ms / 10) * 10 + 10,
  between: (fromMs, toMs) => {
    const ticks: number[] = [];
    for (let tick = Math.floor(fromMs / 10) * 10 + 10; tick <= toMs; tick += 10) ticks.push(tick);
    return ticks;
  },
};
const facts = (more: Partial<TickFacts>): TickFacts => ({
  ...{ afterMs: 0, nowMs: 0, electedMs: 0, busyUntilMs: 0 },
  ...more,
});
const skip = { overlap: 'skip', catchUp: true } as const;

describe('the plan of ticks', () => {
  it('starts a tick that has come due', () => {
    expect(planTicks(tens, facts({ afterMs: 20, nowMs: 31, electedMs: 5 }), skip)).toEqual({
      startMs: 30,
      missedMs: [],
    });
  });

  it('starts nothing before a tick is due', () => {
    expect(planTicks(tens, facts({ afterMs: 20, nowMs: 29 }), skip)).toEqual({ startMs: null, missedMs: [] });
  });

  it('catches up with the latest tick of the time without a leader, and misses the others', () => {
    const late = facts({ afterMs: 20, nowMs: 57, electedMs: 56 });
    expect(planTicks(tens, late, skip)).toEqual({ startMs: 50, missedMs: [30, 40] });
    expect(planTicks(tens, late, { ...skip, catchUp: false })).toEqual({
      startMs: null,
      missedMs: [30, 40, 50],
    });
  });

  it('misses a tick that came due while the work of another ran, or starts it afterwards', () => {
    const busy = facts({ afterMs: 20, nowMs: 45, electedMs: 5, busyUntilMs: 44 });
    expect(planTicks(tens, busy, skip)).toEqual({ startMs: null, missedMs: [30, 40] });
    expect(planTicks(tens, busy, { ...skip, overlap: 'queue' })).toEqual({ startMs: 30, missedMs: [] });
  });

  it('never drops, repeats or advances a tick: what is due is started or missed, in order', () => {
    const time = fc.nat(300);
    fc.assert(
      fc.property(
        fc.record({ afterMs: time, nowMs: time, electedMs: time, busyUntilMs: time }),
        fc.record({ overlap: fc.constantFrom('skip', 'queue'), catchUp: fc.boolean() }),
        (given, policy) => {
          const due = tens.between(given.afterMs, given.nowMs, 1_000);
          const { startMs, missedMs } = planTicks(tens, given, policy);
          const recorded = startMs === null ? missedMs : [...missedMs, startMs];
          expect(recorded).toEqual(due.slice(0, recorded.length));
          // Only a queue leaves due ticks for later; nothing due is left without a start.
          if (policy.overlap === 'skip' || startMs === null) {
            const rest = due.slice(recorded.length);
            expect(
              rest.every((tick) => startMs !== null && tick > startMs && tick <= given.busyUntilMs),
            ).toBe(true);
          }
        },
      ),
    );
  });
});
