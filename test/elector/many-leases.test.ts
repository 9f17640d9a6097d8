import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createElector } from '../../src/elector/create-elector.ts';
import { StoreCalls } from '../../src/elector/store-calls.ts';
import { MemoryLeaseStore } from '../../src/lease/stores/memory.ts';

describe('one process with a thousand leases on one store', () => {
  test('renews them in at most a fiftieth of as many round trips', async () => {
    const store = new MemoryLeaseStore();
    let renewals = 0;
    const electors = Array.from({ length: 1_000 }, (_, i) =>
      createElector({
        store,
        name: `job ${i}`,
        ttlMs: 5_000,
        process: '',
        onEvent: ({ type }) => {
          if (type === 'renewed') renewals++;
        },
      }),
    );
    const leads = await Promise.all(electors.map((elector) => elector.acquire()));
    const before = StoreCalls.of(store).roundTrips;
    while (renewals < 2_000) await sleep(50);
    expect((StoreCalls.of(store).roundTrips - before) * 50).toBeLessThanOrEqual(renewals);
    expect(leads.every((lead) => lead.isValid())).toBe(true);
    await Promise.all(leads.map((lead) => lead.release()));
  });

  test('claims and gives back in lists as well', async () => {
    const store = new MemoryLeaseStore();
    const electors = Array.from({ length: 100 }, (_, i) =>
      createElector({ store, name: `job ${i}`, ttlMs: 5_000, process: '' }),
    );
    const leads = await Promise.all(electors.map((elector) => elector.acquire()));
    await Promise.all(leads.map((lead) => lead.release()));
    expect(StoreCalls.of(store).roundTrips).toBe(2);
  });
});
