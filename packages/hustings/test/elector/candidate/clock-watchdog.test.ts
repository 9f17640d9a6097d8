/** A process whose machine slept: the wall clock jumps, and no timer of the lease is due for a long time. */
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { checkClocksAfterSleep } from '../../../src/elector/candidate/clock-watchdog.ts';
import { createElector } from '../../../src/elector/create-elector.ts';
import { MemoryLeaseStore } from '../../../src/lease/stores/memory/memory-lease-store.ts';

describe('a process that holds leases of a minute', () => {
  it('aborts the signals of all of them soon after it slept beyond their deadlines', async () => {
    let sleptMs = 0;
    const clock = { now: () => ({ monoMs: performance.now(), wallMs: Date.now() + sleptMs }) };
    const store = new MemoryLeaseStore();
    const leads = await Promise.all(
      ['a', 'b', 'c'].map(async (name) => {
        const elector = createElector({ store, name, ttlMs: 60_000, clock });
        const lead = await elector.acquire();
        onTestFinished(async () => {
          await lead.release();
          await elector.close();
        });
        return lead;
      }),
    );
    expect(leads.every(({ signal }) => !signal.aborted)).toBe(true);
    sleptMs = 100_000;
    const ends = await Promise.all(leads.map(({ ended }) => ended));
    expect(ends.map(({ reason }) => reason)).toEqual(['suspended', 'suspended', 'suspended']);
  });
});

describe('the leaders of a process', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('check their deadlines once at first, then only when their clocks have moved apart', () => {
    let sleptMs = 0;
    let readings = 0;
    const clock = {
      now: () => {
        readings++;
        return { monoMs: Date.now(), wallMs: Date.now() + sleptMs };
      },
    };
    const checks = [0, 0, 0];
    const ends = checks.map((_, leader) => checkClocksAfterSleep(clock, () => void checks[leader]++));
    vi.advanceTimersByTime(60_000);
    expect(checks).toEqual([1, 1, 1]);
    expect(readings).toBe(60);
    sleptMs = 700;
    vi.advanceTimersByTime(1_000);
    expect(checks).toEqual([2, 2, 2]);
    ends[0]();
    // An hour back: the wall clock was set.
    sleptMs -= 3_600_000;
    vi.advanceTimersByTime(5_000);
    expect(checks).toEqual([2, 3, 3]);
    for (const end of ends) end();
    vi.advanceTimersByTime(5_000);
    expect(readings).toBe(66);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('with clocks of their own are independent', () => {
    const clocks = [0, 0].map(() => {
      const clock = { sleptMs: 0, checks: 0, now: () => ({ monoMs: 0, wallMs: clock.sleptMs }) };
      return clock;
    });
    const ends = clocks.map((clock) => checkClocksAfterSleep(clock, () => void clock.checks++));
    vi.advanceTimersByTime(1_000);
    clocks[1].sleptMs = 5_000;
    vi.advanceTimersByTime(1_000);
    expect(clocks.map(({ checks }) => checks)).toEqual([1, 2]);
    for (const end of ends) end();
  });
});
