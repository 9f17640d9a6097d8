import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { aborted } from '../../../../../test-kit/until.ts';
import { StoreCalls } from '../../../src/elector/candidate/store-calls.ts';
import { createElector } from '../../../src/elector/create-elector.ts';
import { StoreError } from '../../../src/lease/core/store-error.ts';
import { MemoryLeaseStore } from '../../../src/lease/stores/memory/memory-lease-store.ts';

describe('one process with a thousand leases on one store', () => {
  test('renews them in at most one round trip per fifty renewals', async () => {
    const store = new MemoryLeaseStore();
    let renewals = 0;
    const electors = Array.from({ length: 1_000 }, (_, i) =>
      createElector({
        store,
        name: `job ${i}`,
        ttlMs: 5_000,
        processProof: '',
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

  test('an election that the store rejects does not fail the others', async () => {
    const store = new MemoryLeaseStore();
    const claim = store.acquire.bind(store);
    store.acquire = async (claims) => {
      if (claims.some(({ name }) => name === 'job 37')) throw new StoreError('unusable', 'not our key');
      return claim(claims);
    };
    const electors = Array.from({ length: 100 }, (_, i) =>
      createElector({ store, name: `job ${i}`, ttlMs: 5_000, processProof: '' }),
    );
    const outcomes = await Promise.allSettled(electors.map((elector) => elector.acquire()));
    const refused = outcomes.flatMap(({ status }, i) => (status === 'rejected' ? [i] : []));
    expect(refused).toEqual([37]);
    await Promise.all(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.release() : undefined)),
    );
  });

  test('sends no longer lists than one request carries, so that a silent one holds up no other lease', async () => {
    const store = Object.assign(new MemoryLeaseStore(), { maxItems: 1 });
    const claim = store.acquire.bind(store);
    const lengths = new Set<number>();
    store.acquire = async (claims) => {
      lengths.add(claims.length);
      return claims[0].name === 'job 3' ? new Promise(() => undefined) : claim(claims);
    };
    const electors = Array.from({ length: 10 }, (_, i) =>
      createElector({ store, name: `job ${i}`, ttlMs: 60_000, requestTimeoutMs: 2_000, processProof: '' }),
    );
    const others = electors.filter((_, i) => i !== 3).map((elector) => elector.acquire());
    const stop = new AbortController();
    const silent = electors[3].acquire({ signal: stop.signal }).catch(() => undefined);
    const leads = await Promise.all(others);
    expect([...lengths]).toEqual([1]);
    stop.abort();
    await silent;
    await Promise.all(leads.map((lead) => lead.release()));
  });

  test('ends all of them by one signal, without a warning of a leak', async () => {
    const store = new MemoryLeaseStore();
    const stop = new AbortController();
    const warnings: string[] = [];
    const warn = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', warn);
    let leads = 0;
    const running = Array.from({ length: 50 }, (_, i) =>
      createElector({ store, name: `job ${i}`, ttlMs: 5_000, processProof: '' }).campaign(
        (lead) => {
          if (++leads === 50) stop.abort();
          return aborted(lead.signal);
        },
        { signal: stop.signal },
      ),
    );
    await Promise.all(running);
    await sleep(10);
    process.off('warning', warn);
    expect(warnings).toEqual([]);
  });

  test('acquires and releases in batches', async () => {
    const store = new MemoryLeaseStore();
    const electors = Array.from({ length: 100 }, (_, i) =>
      createElector({ store, name: `job ${i}`, ttlMs: 5_000, processProof: '' }),
    );
    const leads = await Promise.all(electors.map((elector) => elector.acquire()));
    await Promise.all(leads.map((lead) => lead.release()));
    expect(StoreCalls.of(store).roundTrips).toBe(2);
  });
});
