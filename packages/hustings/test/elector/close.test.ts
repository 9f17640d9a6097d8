import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../../../test-kit/command.ts';
import { aborted, never, until } from '../../../../test-kit/until.ts';
import { createElector } from '../../src/elector/create-elector.ts';
import type { Elector } from '../../src/elector/elector.ts';
import { AcquireTimeoutError, ElectorClosedError } from '../../src/elector/elector-errors.ts';
import type { ElectorOptions } from '../../src/elector/elector-options.ts';
import type { LeaseStore } from '../../src/lease/lease-store.ts';
import { MemoryLeaseStore } from '../../src/lease/stores/memory/memory-lease-store.ts';
import { SqliteLeaseStore } from '../../src/lease/stores/sqlite/sqlite-lease-store.ts';

const folder = temporaryFolder();

const TTL = 600;

function electorOn(store: ElectorOptions['store'], options: Partial<ElectorOptions> = {}): Elector {
  return createElector({ name: 'job', ttlMs: TTL, processProof: '', store, ...options } as ElectorOptions);
}

describe('close', () => {
  test('ends a campaign: its work settles and its lease is released before the store is closed', async () => {
    const url = `memory:${crypto.randomUUID()}`;
    const elector = electorOn(url);
    let leads = false;
    let hasSettled = false;
    const running = elector.campaign(async (lead) => {
      leads = true;
      await aborted(lead.signal);
      await sleep(50);
      hasSettled = true;
    });
    await until(() => leads);
    await elector.close();
    expect(hasSettled).toBe(true);
    await running;
    expect((await electorOn(url).history())[0].cause).toBe('released');
  });

  test('ends a wait for leadership with an ElectorClosedError', async () => {
    const store = new MemoryLeaseStore();
    await using _ = await electorOn(store).acquire();
    const elector = electorOn(store);
    const refused = expect(elector.acquire()).rejects.toThrow(ElectorClosedError);
    await sleep(20);
    await elector.close();
    await refused;
  });

  test('releases a lease that is granted after it was called, before it closes the store', async () => {
    const url = `sqlite:${join(folder.path, 'late.db')}`;
    const { acquire } = SqliteLeaseStore.prototype;
    const slow = vi.spyOn(SqliteLeaseStore.prototype, 'acquire').mockImplementation(async function (
      this: SqliteLeaseStore,
      requests,
    ) {
      const answers = await acquire.call(this, requests);
      await sleep(50);
      return answers;
    });
    try {
      // A short lease would also mean a short time for the answer, and the file may be slow.
      const elector = electorOn(url, { ttlMs: 60_000 });
      const refused = expect(elector.acquire()).rejects.toThrow(ElectorClosedError);
      await until(() => slow.mock.calls.length > 0);
      await elector.close();
      await refused;
    } finally {
      slow.mockRestore();
    }
    await using later = electorOn(url);
    expect((await later.history()).map(({ cause }) => cause)).toEqual(['released']);
  });

  test('does not deadlock when the work itself calls it', async () => {
    const elector = electorOn(`memory:${crypto.randomUUID()}`);
    await elector.campaign(() => elector.close());
  });

  test.each<[string, () => ElectorOptions['store']]>([
    ['a store', () => new MemoryLeaseStore()],
    ['a URL', () => `memory:${crypto.randomUUID()}`],
  ])('of an elector with %s ends the calls that still open it, and no work starts', async (_, storeOf) => {
    const elector = electorOn(storeOf());
    let started = 0;
    const running = expect(elector.runOnce(() => started++)).rejects.toThrow(ElectorClosedError);
    const acquiring = expect(elector.acquire()).rejects.toThrow(ElectorClosedError);
    const campaigning = elector.campaign(() => {
      started++;
    });
    const views: unknown[] = [];
    const watching = (async () => {
      for await (const view of elector.watch()) views.push(view);
    })();
    await elector.close();
    await Promise.all([campaigning, running, acquiring, watching]);
    await sleep(20);
    expect({ started, views }).toEqual({ started: 0, views: [] });
  });

  test('may be called twice at once: both resolve when the work has settled', async () => {
    const elector = electorOn(new MemoryLeaseStore(), { ttlMs: 60_000 });
    let hasSettled = false;
    let markLeading = (): void => {};
    const leading = new Promise<void>((resolve) => {
      markLeading = resolve;
    });
    const running = elector.campaign(async (lead) => {
      markLeading();
      await aborted(lead.signal);
      await sleep(20);
      hasSettled = true;
    });
    await leading;
    await Promise.all(
      [elector.close(), elector.close()].map((each) => each.then(() => expect(hasSettled).toBe(true))),
    );
    await running;
  });

  test('is the end: every later call rejects with an ElectorClosedError', async () => {
    const elector = electorOn(`memory:${crypto.randomUUID()}`);
    await elector.close();
    await elector.close();
    const calls = [
      elector.acquire(),
      elector.runOnce(never),
      elector.campaign(never),
      elector.leader(),
      elector.history(),
      elector.cron('* * * * *', never),
      elector.ticks(),
      elector.watch().next(),
    ];
    const outcomes = await Promise.allSettled(calls);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'HUSTINGS_ELECTOR_CLOSED' } });
    }
  });

  test('tells the owner of an acquired lead to stop, and waits until it is released', async () => {
    const store = new MemoryLeaseStore();
    const elector = electorOn(store, { ttlMs: 60_000 });
    const lead = await elector.acquire();
    const closing = elector.close();
    expect(await aborted(lead.signal)).toMatchObject({ reason: 'released' });
    expect((await store.read(['job']))[0].holder).not.toBeNull();
    await lead.release();
    await closing;
    expect((await store.read(['job']))[0].holder).toBeNull();
  });
});

describe('watch', () => {
  test('ends when the elector is closed, without a signal of its own', async () => {
    const elector = electorOn(`memory:${crypto.randomUUID()}`);
    const watching = (async () => {
      for await (const view of elector.watch()) {
        expect(view.type).toBe('vacant');
        void elector.close();
      }
    })();
    await watching;
  });

  test.each(['return', 'throw'] as const)('%s ends it while it waits for a change', async (end) => {
    const views = electorOn(new MemoryLeaseStore()).watch();
    expect((await views.next()).value).toMatchObject({ type: 'vacant' });
    const pending = views.next();
    await sleep(20);
    const ended = end === 'return' ? views.return() : views.throw(new Error('enough')).catch(() => {});
    expect(await pending).toEqual({ value: undefined, done: true });
    await ended;
  });

  test('return ends it while the store does not answer', async () => {
    const store = new MemoryLeaseStore();
    store.read = () => new Promise(() => {});
    const views = electorOn(store, { ttlMs: 3_600_000 }).watch();
    const pending = views.next();
    await sleep(20);
    await views.return();
    expect(await pending).toEqual({ value: undefined, done: true });
  });
});

describe('a timeout above 2^31 ms', () => {
  test.each([2 ** 31, 30 * 24 * 3_600_000])('of %d ms does not end the wait at once', async (timeoutMs) => {
    const store = new MemoryLeaseStore();
    const held = await electorOn(store, { ttlMs: 60_000 }).acquire();
    const waiting = electorOn(store, { ttlMs: 60_000 }).acquire({ timeoutMs });
    await sleep(50);
    await held.release();
    await (await waiting).release();
  });
});

describe('a campaign, runOnce or acquire within a campaign of one elector', () => {
  test.each<[string, (elector: Elector) => Promise<unknown>]>([
    ['campaign', (elector) => elector.campaign(never)],
    ['runOnce', (elector) => elector.runOnce(never)],
    ['acquire', (elector) => elector.acquire()],
  ])('is refused, because it would wait for itself: %s', async (_, second) => {
    const elector = electorOn(new MemoryLeaseStore());
    await expect(elector.campaign(() => second(elector))).rejects.toThrow(/already campaigns/);
    // The first one has ended: the elector may campaign again.
    const stop = new AbortController();
    await elector.campaign(() => stop.abort(), { signal: stop.signal });
  });
});

describe('a request that is granted when nobody waits for it any more', () => {
  test('gives the lease back at once', async () => {
    const store = new MemoryLeaseStore();
    let arrive = (): void => {};
    const late = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const slow = new Proxy<LeaseStore>(store, {
      get: (_, key) => {
        if (key === 'acquire') {
          return async (...args: Parameters<LeaseStore['acquire']>) => {
            await late;
            return store.acquire(...args);
          };
        }
        const member = Reflect.get(store, key, store) as unknown;
        return typeof member === 'function' ? member.bind(store) : member;
      },
    });
    // Long enough that the lease cannot expire within the test.
    const elector = electorOn(slow, { ttlMs: 600_000, requestTimeoutMs: 100 });
    await expect(elector.acquire({ timeoutMs: 0 })).rejects.toThrow(AcquireTimeoutError);
    arrive();
    await until(async () => (await store.history('job')).length > 0);
    await until(async () => (await store.read(['job']))[0].holder === null);
    expect((await store.history('job')).map(({ cause }) => cause)).toContain('released');
  });
});

describe('work that closes its own elector', () => {
  test('does not wait for itself without end, and its lease is released when it returns', async () => {
    const store = new MemoryLeaseStore();
    const elector = createElector({ store, name: 'own', ttlMs: 500 });
    await elector.campaign(() => elector.close());
    await until(async () => (await store.read(['own']))[0].holder === null);
    expect((await store.history('own'))[0].cause).toBe('released');
  });
});
