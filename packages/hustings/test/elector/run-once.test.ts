import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../test-kit/command.ts';
import {
  describeWith,
  startPostgres,
  startRedis,
  type TestServer,
} from '../../../../test-kit/servers/index.ts';
import { aborted, never, until } from '../../../../test-kit/until.ts';
import { createElector } from '../../src/elector/create-elector.ts';
import type { Elector } from '../../src/elector/elector.ts';
import { AcquireTimeoutError, ElectorClosedError, LeaseLostError } from '../../src/elector/elector-errors.ts';
import type { ElectorEvent } from '../../src/elector/events/elector-event.ts';
import type { Lead } from '../../src/elector/lead.ts';
import type { LeaseStore } from '../../src/lease/lease-store.ts';
import { openStore } from '../../src/lease/open-store.ts';
import { claimOf } from '../lease/contract/single-call.ts';
import { FailingStore } from './failing-store.ts';

const TTL_MS = 1_500;

function claims(url: () => string): void {
  let store: LeaseStore;
  beforeAll(async () => {
    store = await openStore(url());
  });
  afterAll(() => store?.close());

  /** An elector of an election that no other test uses. */
  function newElector(events: ElectorEvent[] = []): Elector {
    const onEvent = (event: ElectorEvent): void => void events.push(event);
    return createElector({ store, name: randomUUID(), id: 'me', ttlMs: TTL_MS, processProof: '', onEvent });
  }
  const causes = async ({ name }: Elector) => (await store.history(name)).map(({ cause }) => cause);

  test('calls the work once, releases the lease, and resolves with the result', async () => {
    const events: ElectorEvent[] = [];
    const elector = newElector(events);
    let calls = 0;
    const result = await elector.runOnce(async (lead) => {
      calls++;
      expect(lead.isValid()).toBe(true);
      return lead.token;
    });
    const [{ token }] = await store.history(elector.name);
    expect(result).toBe(token);
    await sleep(100);
    expect(calls).toBe(1);
    expect(await elector.leader()).toMatchObject({ type: 'vacant', token });
    expect(await causes(elector)).toEqual(['released']);
    expect(events.filter(({ type }) => type === 'ended')).toMatchObject([{ reason: 'released' }]);
    expect(events.map(({ type }) => type)).not.toContain('lost');
  });

  test('waits for the holder to release', async () => {
    const elector = newElector();
    const first = await elector.acquire();
    const second = elector.runOnce((lead) => lead.token);
    await sleep(50);
    await first.release();
    expect(await second).toBeGreaterThan(first.token);
  });

  test('rejects with AcquireTimeoutError if another candidate leads until the timeout', async () => {
    const elector = newElector();
    await using _held = await elector.acquire();
    await expect(elector.runOnce(never, { timeoutMs: 50 })).rejects.toThrow(AcquireTimeoutError);
  });

  test('rejects with the reason of its signal while it waits, and never calls the work', async () => {
    const elector = newElector();
    await using _held = await elector.acquire();
    const stop = new AbortController();
    const waiting = elector.runOnce(never, { signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 30);
    await expect(waiting).rejects.toThrow('enough');
  });

  test('rejects with the reason of its signal after the work that it told to stop has settled', async () => {
    const elector = newElector();
    const stop = new AbortController();
    let hasSettled = false;
    const running = elector.runOnce(
      async (lead) => {
        stop.abort(new Error('enough'));
        await aborted(lead.signal);
        await sleep(50);
        expect((await store.read([elector.name]))[0].holder?.id).toBe('me');
        hasSettled = true;
      },
      { signal: stop.signal },
    );
    await expect(running).rejects.toThrow('enough');
    expect(hasSettled).toBe(true);
    expect(await causes(elector)).toEqual(['released']);
  });

  test('rejects with LeaseLostError after the work has settled, if the leader is evicted', async () => {
    const events: ElectorEvent[] = [];
    const elector = newElector(events);
    let hasSettled = false;
    const running = elector.runOnce(async (lead) => {
      expect(await store.evict(elector.name)).toBe(true);
      expect(await aborted(lead.signal)).toMatchObject({ reason: 'evicted' });
      await sleep(50);
      hasSettled = true;
      return 'a result that must not look like a success';
    });
    await expect(running).rejects.toMatchObject({ code: 'HUSTINGS_LEASE_LOST', reason: 'evicted' });
    expect(hasSettled).toBe(true);
    const types = events.map(({ type }) => type);
    expect(types.filter((type) => type === 'lost' || type === 'ended')).toEqual(['lost', 'ended']);
  }, 20_000);

  test('rejects with LeaseLostError if an operator transfers leadership', async () => {
    const elector = newElector();
    const running = elector.runOnce(async (lead) => {
      await store.acquire([claimOf(elector.name, 'other', { registerMs: 60_000 })]);
      expect(await store.requestTransfer(elector.name, 'other')).toBe('requested');
      await aborted(lead.signal);
    });
    await expect(running).rejects.toMatchObject({ reason: 'transferred' });
  }, 20_000);

  test('rejects with the error of the work, after the lease is released', async () => {
    const elector = newElector();
    await expect(elector.runOnce(() => Promise.reject(new Error('disk full')))).rejects.toThrow('disk full');
    await expect(
      elector.runOnce(() => {
        throw new Error('at once');
      }),
    ).rejects.toThrow('at once');
    expect((await elector.leader()).type).toBe('vacant');
    expect(await causes(elector)).toEqual(['released', 'released']);
  });

  test('resolves with the result of work that releases the lease itself', async () => {
    const elector = newElector();
    const result = await elector.runOnce(async (lead) => {
      await lead.release();
      expect(lead.signal.aborted).toBe(true);
      return 'done';
    });
    expect(result).toBe('done');
  });
}

const folder = temporaryFolder();

describe('runOnce in memory', () => claims(() => 'memory:'));
describe('runOnce on SQLite', () => claims(() => `sqlite:${join(folder.path, 'leases.db')}`));

await describeWith('redis-server', 'runOnce on Redis', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server?.stop());
  claims(() => server.url);
});

await describeWith('postgres', 'runOnce on PostgreSQL', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());
  claims(() => server.url);
});

describe('runOnce', () => {
  const electorOn = (store: LeaseStore, events: ElectorEvent[] = []): Elector =>
    createElector({
      ...{ store, name: 'job', ttlMs: 600, processProof: '' },
      onEvent: (event) => void events.push(event),
    });

  test('rejects with LeaseLostError if the store becomes unreachable, and stops campaigning', async () => {
    const failing = new FailingStore();
    let terms = 0;
    const running = electorOn(failing.store).runOnce(async (lead) => {
      terms++;
      failing.failure = 'unreachable';
      await aborted(lead.signal);
      failing.failure = 'none';
    });
    await expect(running).rejects.toMatchObject({ reason: 'store-unreachable' });
    await sleep(700);
    expect(terms).toBe(1);
  });

  test('rejects with LeaseLostError if the work blocked the event loop past its deadline', async () => {
    const endMs = () => performance.now() + 1_200;
    const running = electorOn(new FailingStore().store).runOnce(() => {
      for (const end = endMs(); performance.now() < end; );
      return 'too late';
    });
    await expect(running).rejects.toThrow(LeaseLostError);
  });

  test('emits work-failed for an error of the work that follows a loss, and rejects with the loss', async () => {
    const failing = new FailingStore();
    const events: ElectorEvent[] = [];
    const running = electorOn(failing.store, events).runOnce(async (lead: Lead) => {
      failing.failure = 'unreachable';
      await aborted(lead.signal);
      failing.failure = 'none';
      throw new Error('stale');
    });
    await expect(running).rejects.toThrow(LeaseLostError);
    expect(events.find(({ type }) => type === 'work-failed')).toMatchObject({ error: { message: 'stale' } });
  });

  test('rejects with ElectorClosedError after the work has settled, if the elector is closed', async () => {
    const elector = electorOn(new FailingStore().store);
    let state = 'waiting';
    const running = elector.runOnce(async (lead) => {
      state = 'working';
      await aborted(lead.signal);
      await sleep(30);
      state = 'settled';
    });
    const rejected = expect(running).rejects.toThrow(ElectorClosedError);
    await until(() => state === 'working');
    await elector.close();
    expect(state).toBe('settled');
    await rejected;
  });

  test('rejects work that is no function, and a timeout that is no duration', async () => {
    const elector = electorOn(new FailingStore().store);
    await expect(elector.runOnce('work' as never)).rejects.toThrow('work must be a function, not string');
    await expect(elector.runOnce(never, { timeoutMs: -1 })).rejects.toThrow('timeoutMs must be a number');
  });
});

test('Elector and Lead can be faked with plain objects', async () => {
  const lead: Lead = {
    ...{
      term: { name: 'job', token: 1n, holder: 'me', nonce: 'n', startMs: 0 },
      token: 1n,
      fence: '',
      fences: { job: '' },
      slot: 1,
      tokens: { job: 1n },
    },
    ...{ signal: new AbortController().signal, ended: new Promise(() => {}), deadline: null },
    ...{ isValid: () => true, remainingMs: () => 1_000, assert: () => {}, progress: () => {} },
    guard: async (effect) => effect(lead.signal),
    ...{ checkpoint: null, metadata: null, saveCheckpoint: async () => {}, setMetadata: () => {} },
    release: async () => {},
    transfer: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
  const elector: Pick<Elector, 'runOnce'> = { runOnce: async (work) => work(lead) };
  expect(await elector.runOnce(({ token }) => token + 1n)).toBe(2n);
});

test('views, terms, records, events and metrics with tokens can be written as JSON', async () => {
  const events: ElectorEvent[] = [];
  const { store } = new FailingStore();
  const elector = createElector({
    ...{ store, name: 'job', ttlMs: 600, processProof: '' },
    onEvent: (event) => void events.push(event),
  });
  await using lead = await elector.acquire();
  await elector.acquire({ timeoutMs: 0 }).catch(() => {});
  const token = `${lead.token}`;
  const parse = (value: unknown) => JSON.parse(JSON.stringify(value));
  expect(parse(await elector.leader())).toMatchObject({ type: 'led', token });
  expect(parse(await elector.history())).toMatchObject([{ token }]);
  expect(parse(await store.read(['job']))).toMatchObject([
    { token, version: expect.stringMatching(/^\d+$/) },
  ]);
  expect(parse(lead)).toMatchObject({ token });
  expect(parse(lead.term)).toMatchObject({ token });
  expect(parse(elector.metrics)).toMatchObject({ token, terms: 1 });
  expect(parse(events).find(({ type }: { type: string }) => type === 'waiting')).toMatchObject({
    token,
  });
});
