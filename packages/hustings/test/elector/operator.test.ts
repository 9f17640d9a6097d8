import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeWith, startRedis, type TestServer } from '../../../../test-kit/servers/index.ts';
import { aborted, never, until } from '../../../../test-kit/until.ts';
import { InputError } from '../../../base/src/hustings-error.ts';
import { createElector } from '../../src/elector/create-elector.ts';
import type { Elector } from '../../src/elector/elector.ts';
import { AcquireTimeoutError } from '../../src/elector/elector-errors.ts';
import type { ElectorOptions } from '../../src/elector/elector-options.ts';
import type { Lead } from '../../src/elector/lead.ts';
import { type LeaseStore, openStore } from '../../src/lease/index.ts';
import { MemoryLeaseStore } from '../../src/lease/stores/memory/memory-lease-store.ts';
import { createTestKit } from '../../src/testing/index.ts';

const electors: Elector[] = [];
afterEach(() => Promise.all(electors.splice(0).map((elector) => elector.close())));

let name = '';
let tests = 0;
beforeEach(() => {
  name = `job ${++tests}`;
});

function electorOn(store: LeaseStore, id: string, more: Partial<ElectorOptions> = {}): Elector {
  const elector = createElector({
    store,
    name,
    id,
    ttlMs: 5_000,
    processProof: '',
    ...more,
  } as ElectorOptions);
  electors.push(elector);
  return elector;
}

/** The same on every store. */
function operates(storeOf: () => LeaseStore): void {
  it('lists the candidates that wait, and not the leader', async () => {
    const leader = electorOn(storeOf(), 'leader');
    const lead = await leader.acquire();
    expect(await leader.candidates()).toEqual([]);
    const waiting = ['b', 'a'].map((id) => electorOn(storeOf(), id, { priority: id === 'a' ? -1 : 0 }));
    const campaigns = waiting.map((elector) => elector.acquire().catch(() => {}));
    await until(async () => (await leader.candidates()).length === 2);
    expect(await leader.candidates()).toMatchObject([
      { id: 'a', priority: -1 },
      { id: 'b', priority: 0 },
    ]);
    await Promise.all(waiting.map((elector) => elector.close()));
    await Promise.all(campaigns);
    await lead.release();
    await leader.close();
    await expect(leader.candidates()).rejects.toThrow('was closed');
  });

  it.each<[string, (elector: Elector, signal: AbortSignal) => Promise<unknown>]>([
    ['its time is over', (elector) => elector.acquire({ timeoutMs: 0 })],
    ['its signal aborts', (elector, signal) => elector.acquire({ signal })],
    ['its campaign ends', (elector, signal) => elector.campaign(never, { signal })],
    ['its elector is closed', (elector) => elector.runOnce(never)],
  ])('no longer lists a candidate that has given up, because %s', async (_, wait) => {
    // Far longer than the test: no registration expires.
    const leader = electorOn(storeOf(), 'leader', { ttlMs: 600_000 });
    const lead = await leader.acquire();
    const waiter = electorOn(storeOf(), 'waiter', { ttlMs: 600_000 });
    const stop = new AbortController();
    let isRegistered = false;
    const ended = wait(waiter, stop.signal).catch(() => {});
    const polling = until(async () => {
      isRegistered ||= (await leader.candidates()).length === 1;
      return isRegistered;
    });
    await Promise.race([polling, ended]);
    stop.abort();
    await Promise.all([waiter.close(), ended]);
    isRegistered = true;
    await polling;
    expect(await leader.candidates()).toEqual([]);
    await lead.release();
  });

  it('rejects a transfer to a candidate that does not wait, and the term goes on', async () => {
    const lead = await electorOn(storeOf(), 'leader').acquire();
    await expect(lead.transfer({ to: 'x' })).rejects.toThrow(InputError);
    await expect(lead.transfer({ to: 'x' })).rejects.toThrow(
      `no candidate 'x' waits for '${name}'; nobody waits`,
    );
    const waiter = electorOn(storeOf(), 'successor');
    const won = waiter.acquire();
    await until(async () => (await waiter.candidates()).length === 1);
    await expect(lead.transfer({ to: 'x' })).rejects.toThrow("these wait: 'successor'");
    expect(lead.isValid()).toBe(true);
    expect(lead.signal.aborted).toBe(false);
    await lead.transfer({ to: 'successor' });
    await (await won).release();
  });

  it('hands over there and back: a transfer waits for a candidate that pauses after its own term', async () => {
    const ending = new AbortController();
    const leads = new Map<string, Lead>();
    const campaigns = ['a', 'b'].map((id) =>
      electorOn(storeOf(), id, { ttlMs: 2_000 }).campaign(
        async (lead) => {
          leads.set(id, lead);
          await aborted(lead.signal);
          leads.delete(id);
        },
        { signal: ending.signal },
      ),
    );
    await until(async () => leads.size === 1 && (await storeOf().candidates(name)).length === 1);
    for (let turn = 0; turn < 4; turn++) {
      const [[from, lead]] = leads;
      const to = from === 'a' ? 'b' : 'a';
      await lead.transfer({ to });
      await until(() => leads.has(to));
    }
    ending.abort();
    await Promise.all(campaigns);
  });

  it('says that an evicted candidate stays out', async () => {
    const evicted = electorOn(storeOf(), 'evicted', { ttlMs: 500 });
    const first = await evicted.acquire();
    await storeOf().evict(name, 60_000);
    await aborted(first.signal);
    await first.release();
    const lead = await electorOn(storeOf(), 'leader').acquire();
    await expect(lead.transfer({ to: 'evicted' })).rejects.toThrow(
      /'evicted' was evicted \d+\.\d s ago and stays out of the election for a time/,
    );
    await lead.release();
  });
}

describe('in memory', () => {
  const store = new MemoryLeaseStore();
  operates(() => store);
});

await describeWith('redis-server', 'on Redis', () => {
  let server: TestServer;
  let store: LeaseStore;
  beforeAll(async () => {
    server = await startRedis();
    store = await openStore(server.url);
  });
  afterAll(async () => {
    await store?.close();
    await server?.stop();
  });
  operates(() => store);
});

it('a transfer to a candidate that led and has gone says so after the longest pause', async () => {
  const kit = createTestKit();
  const on = (id: string) =>
    createElector({ store: kit.store, clock: kit.clock, name, id, onEvent: () => {} });
  await (await on('gone').acquire()).release();
  const lead = await on('leader').acquire();
  const transfer = lead.transfer({ to: 'gone' });
  const refused = expect(transfer).rejects.toThrow(
    `no candidate 'gone' waits for '${name}'; nobody waits; 'gone' led until 6.0 s ago and has not come back`,
  );
  await kit.advance(10_000);
  await refused;
  expect(lead.isValid()).toBe(true);
  await lead.release();
});

describe('an evicted candidate', () => {
  const evictedFor = async (store: MemoryLeaseStore, cooldownMs: number): Promise<Elector> => {
    const elector = electorOn(store, 'evicted', { ttlMs: 500 });
    const lead = await elector.acquire();
    await store.evict(name, cooldownMs);
    await aborted(lead.signal);
    await lead.release();
    return elector;
  };

  it('stays out of the election, also if it calls acquire or runOnce again', async () => {
    const elector = await evictedFor(new MemoryLeaseStore(), 60_000);
    for (const timeoutMs of [0, 50]) {
      const again = elector.acquire({ timeoutMs });
      await expect(again).rejects.toThrow(AcquireTimeoutError);
      await expect(again).rejects.toThrow(
        /this candidate was evicted, and stays out of the election for \d+ ms/,
      );
    }
    await expect(elector.runOnce(() => {}, { timeoutMs: 50 })).rejects.toThrow(AcquireTimeoutError);
    const stop = new AbortController();
    const campaign = elector.campaign(() => expect.fail('it leads'), { signal: stop.signal });
    await sleep(100);
    stop.abort();
    await campaign;
    const given = elector.acquire({ signal: AbortSignal.timeout(20) });
    await expect(given).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('leads again after that time', async () => {
    const store = new MemoryLeaseStore();
    const elector = await evictedFor(store, 300);
    const atMs = performance.now();
    const lead = await elector.acquire({ timeoutMs: 30_000 });
    expect(performance.now() - atMs).toBeGreaterThan(150);
    await lead.release();
  });
});
