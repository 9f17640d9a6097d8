/** A process whose machine slept: the wall clock jumps, and no timer of the lease is due for a long time. */
import { describe, expect, it, onTestFinished } from 'vitest';
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
