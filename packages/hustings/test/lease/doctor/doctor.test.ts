import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { StoreError } from '../../../src/lease/core/store-error.ts';
import { doctor } from '../../../src/lease/doctor/doctor.ts';
import { SCRATCH_ELECTION } from '../../../src/lease/doctor/lease-trial.ts';
import type { LeaseStore, Probe } from '../../../src/lease/lease-store.ts';
import { openStore } from '../../../src/lease/open-store.ts';
import { MemoryLeaseStore } from '../../../src/lease/stores/memory/memory-lease-store.ts';

class FaultyStore extends MemoryLeaseStore {
  constructor(
    private readonly fault: Partial<Probe> & { readonly renew?: () => never; readonly delayMs?: number },
  ) {
    super();
  }

  override async probe(): Promise<Probe> {
    return { ...(await super.probe()), ...this.fault };
  }

  override async renew(renewals: Parameters<LeaseStore['renew']>[0]) {
    this.fault.renew?.();
    const { delayMs = 0 } = this.fault;
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    return super.renew(renewals);
  }
}

describe('doctor on a store', () => {
  it('reports its guarantees and the latency of a real lease, and leaves the store open and free', async () => {
    const store = new MemoryLeaseStore();
    const report = await doctor(store);
    expect(report).toMatchObject({
      store: 'memory:',
      capabilities: { expiry: 'clock', survivesCrash: false },
      problems: [],
      trial: { election: SCRATCH_ELECTION, renew: { calls: 50 } },
    });
    // The same clock, read twice.
    expect(Math.abs(report.clockOffsetMs)).toBeLessThan(1_000);
    expect(report.caveats).toEqual(store.capabilities.caveats);
    expect(report.capabilities).not.toHaveProperty('caveats');
    expect(report.trial?.notificationMs).toBeGreaterThanOrEqual(0);
    expect(() => JSON.stringify(report)).not.toThrow();
    expect((await store.read([SCRATCH_ELECTION]))[0].holder).toBeNull();
  });

  it('tries no lease if the server has problems', async () => {
    const store = new FaultyStore({ problems: ['The tables are missing.', 'It is a replica.'] });
    expect(await doctor(store)).toMatchObject({
      problems: ['The tables are missing.', 'It is a replica.'],
      trial: null,
    });
    expect(await store.names()).toEqual([]);
  });

  it('warns of clocks that differ', async () => {
    const { clockOffsetMs, warnings } = await doctor(new FaultyStore({ clockOffsetMs: -90_000 }));
    expect(clockOffsetMs).toBe(-90_000);
    expect(warnings).toContainEqual(expect.stringMatching(/^The clocks differ by 90,000 ms\./));
  });

  it('has a problem with a store whose renewals take half of the default request timeout', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const examined = doctor(new FaultyStore({ delayMs: 1_001 }));
      await vi.advanceTimersByTimeAsync(60_000);
      const { problems, trial } = await examined;
      expect(problems).toEqual([expect.stringMatching(/^A renewal took 1,001 ms\. .* after 2,000 ms/)]);
      expect(trial?.renew.calls).toBe(10);
    } finally {
      vi.useRealTimers();
    }
  });

  it('has a problem with a lease that can be acquired but not renewed', async () => {
    const renew = () => {
      throw new StoreError('denied', 'the role may not write');
    };
    const { problems, trial } = await doctor(new FaultyStore({ renew }));
    expect(problems).toEqual(['A lease could not be acquired, renewed and released: the role may not write']);
    expect(trial).toBeNull();
  });
});

describe('doctor on a URL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hustings-doctor-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const url = `sqlite:${join(folder, 'leases.db')}`;
  const created = expect.stringMatching(/^The file did not exist and was created/);

  it('opens the store, closes it, and reports a file that it created, once', async () => {
    const first = await doctor(url);
    expect(first).toMatchObject({ store: url, problems: [] });
    expect(first.warnings).toContainEqual(created);
    expect((await doctor(url)).warnings).not.toContainEqual(created);
    const store = await openStore(url);
    expect((await store.read([SCRATCH_ELECTION]))[0]).toMatchObject({ holder: null });
    await store.close();
  });

  it('rejects with a StoreError if the store cannot be used', async () => {
    const error = await doctor(`sqlite:${join(folder, 'missing', 'leases.db')}`).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(StoreError);
    expect(error.kind).toBe('unusable');
  });
});
