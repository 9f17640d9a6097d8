import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import mysql from 'mysql2';
import promises from 'mysql2/promise';
import pg from 'pg';
import postgres from 'postgres';
import { createClient } from 'redis';
import { describe, expect, test } from 'vitest';
import { aborted, never, until } from '../../../../test-kit/until.ts';
import { InputError } from '../../../base/src/hustings-error.ts';
import { createElector } from '../../src/elector/create-elector.ts';
import { AcquireTimeoutError, LeaseLostError } from '../../src/elector/elector-errors.ts';
import type { ElectorOptions } from '../../src/elector/elector-options.ts';
import type { ElectorEvent } from '../../src/elector/events/elector-event.ts';
import type { Lead } from '../../src/elector/lead.ts';
import { MemoryLeaseStore } from '../../src/lease/stores/memory/memory-lease-store.ts';
import { claimOf } from '../lease/contract/single-call.ts';
import { FailingStore } from './failing-store.ts';

const TTL = 600;
const LONGER = 3_000;
/** No process proof: all candidates of a test are in one process, which is alive. */
const base = { name: 'job', ttlMs: TTL, processProof: '' };

function block(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

function electorOn(
  store: ElectorOptions['store'],
  options: Partial<ElectorOptions> = {},
): ReturnType<typeof createElector> {
  return createElector({ ...base, store, ...options } as ElectorOptions);
}

describe('campaign', () => {
  test('calls the work with the token of its term, and releases the lease after it has returned', async () => {
    const store = new MemoryLeaseStore();
    const stop = new AbortController();
    const tokens: bigint[] = [];
    await electorOn(store, { id: 'a' }).campaign(
      async (lead) => {
        tokens.push(lead.token);
        expect((await store.read(['job']))[0].holder?.id).toBe('a');
        if (tokens.length === 2) stop.abort();
      },
      { signal: stop.signal },
    );
    expect(tokens).toHaveLength(2);
    expect((await store.history('job')).map(({ token }) => token)).toEqual(tokens.reverse());
    expect((await store.read(['job']))[0].holder).toBeNull();
    expect((await store.history('job')).map(({ cause }) => cause)).toEqual(['released', 'released']);
  });

  test('does not release the lease while the work still runs', async () => {
    const store = new MemoryLeaseStore();
    const stop = new AbortController();
    let settled = false;
    const running = electorOn(store).campaign(
      async (lead) => {
        stop.abort();
        expect(lead.signal.aborted).toBe(true);
        // Longer than the ttl: the lease is renewed while the work stops.
        await sleep(TTL * 1.5);
        expect((await store.read(['job']))[0].holder).not.toBeNull();
        settled = true;
      },
      { signal: stop.signal },
    );
    await running;
    expect(settled).toBe(true);
    expect((await store.history('job'))[0].cause).toBe('released');
  }, 20_000);

  test('gives a signal that is first asked for after the term the reason of its end, and always the same signal', async () => {
    const lead = await electorOn(new MemoryLeaseStore()).acquire();
    await lead.release();
    const { signal } = lead;
    expect(signal.reason).toBeInstanceOf(LeaseLostError);
    expect(signal.reason).toMatchObject({ reason: 'released' });
    expect(lead.signal).toBe(signal);
  });

  test('finds the signal aborted that it asks for after a pause, before any timer has fired', async () => {
    const elector = electorOn(new MemoryLeaseStore());
    const lead = await elector.acquire();
    const { signal } = lead;
    expect(signal.aborted).toBe(false);
    block(TTL);
    expect(signal.aborted).toBe(false);
    expect(lead.signal.aborted).toBe(true);
    expect(lead.signal).toBe(signal);
    expect(signal.reason).toBeInstanceOf(LeaseLostError);
    await elector.close();
  });

  test('ends after its signal aborts, even if the work also releases the lease', async () => {
    const store = new MemoryLeaseStore();
    const stop = new AbortController();
    let terms = 0;
    await electorOn(store).campaign(
      async (lead) => {
        terms++;
        stop.abort();
        await lead.release();
        await lead.transfer({ to: 'somebody' });
      },
      { signal: stop.signal },
    );
    expect(terms).toBe(1);
    expect((await store.read(['job']))[0].holder).toBeNull();
  });

  test.each<[string, (lead: Lead) => unknown]>([
    [
      'an assert after a pause, before the signal has aborted',
      (lead) => {
        block(TTL * 2);
        lead.assert();
      },
    ],
    ['a guard around a pause', (lead) => lead.guard(() => block(TTL * 2))],
    [
      'a resource that noticed first',
      () => {
        block(TTL * 2);
        throw new Error('stale');
      },
    ],
  ])('campaigns again when a lost lease made the work throw: %s', async (_, work) => {
    const stop = new AbortController();
    const events: ElectorEvent[] = [];
    const elector = electorOn(new MemoryLeaseStore(), { onEvent: (event) => void events.push(event) });
    let terms = 0;
    await elector.campaign((lead) => (++terms === 1 ? work(lead) : stop.abort()), { signal: stop.signal });
    expect(terms).toBe(2);
    expect(events.map(({ type }) => type)).toContain('work-failed');
  });

  test('rejects with the error of the work, after the lease is released', async () => {
    const store = new MemoryLeaseStore();
    const elector = electorOn(store);
    await expect(elector.campaign(() => Promise.reject(new Error('disk full')))).rejects.toThrow('disk full');
    expect((await elector.leader()).type).toBe('vacant');
  });

  test('emits work-failed when the work throws after its term has ended, and campaigns again', async () => {
    const store = new MemoryLeaseStore();
    const stop = new AbortController();
    const failed: unknown[] = [];
    const elector = electorOn(store, {
      onEvent: (event) => event.type === 'work-failed' && failed.push(event.error),
    });
    let terms = 0;
    await elector.campaign(
      async (lead) => {
        if (++terms === 2) return stop.abort();
        await lead.release();
        lead.assert();
      },
      { signal: stop.signal },
    );
    expect(failed).toHaveLength(1);
    expect(failed[0]).toBeInstanceOf(LeaseLostError);
  });

  test.each(['its assert', 'its fence'])(
    'campaigns again when suspended work fails at %s before its signal aborts',
    async (where) => {
      const stop = new AbortController();
      const failed: unknown[] = [];
      const elector = electorOn(new MemoryLeaseStore(), {
        onEvent: (event) => event.type === 'work-failed' && failed.push(event.error),
      });
      let terms = 0;
      await elector.campaign(
        (lead) => {
          if (++terms === 2) return stop.abort();
          const end = performance.now() + 2 * TTL;
          while (performance.now() < end);
          expect(lead.signal.aborted).toBe(false);
          if (where === 'its assert') lead.assert();
          throw new Error('stale');
        },
        { signal: stop.signal },
      );
      expect(terms).toBe(2);
      expect(failed).toHaveLength(1);
    },
    20_000,
  );

  test('campaigns again when too little of the lease is left, and rejects a need that no lease can meet', async () => {
    const stop = new AbortController();
    let terms = 0;
    const running = electorOn(new MemoryLeaseStore()).campaign(
      (lead) => {
        terms++;
        if (terms > 1) lead.assert({ needMs: TTL });
        const end = performance.now() + TTL / 4;
        while (performance.now() < end);
        lead.assert({ needMs: 500 });
      },
      { signal: stop.signal },
    );
    await expect(running).rejects.toThrow('needMs must be at most 560');
    expect(terms).toBeGreaterThan(1);
  }, 20_000);

  test('warns once of an onEvent that throws, and leads anyway', async () => {
    const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
    const elector = electorOn(new MemoryLeaseStore(), {
      onEvent: () => {
        throw new Error('my logger');
      },
    });
    const lead = await elector.acquire();
    expect((await warned).message).toContain('my logger');
    await lead.release();
  });

  test('every event can be written as JSON, and shows its term', async () => {
    const lines: string[] = [];
    const elector = electorOn(new MemoryLeaseStore(), {
      id: 'a',
      onEvent: (event) => lines.push(JSON.stringify(event)),
    });
    await (await elector.acquire()).release();
    const elected = JSON.parse(lines.find((line) => line.includes('"elected"'))!);
    expect(elected.lead).toMatchObject({ name: 'job', token: expect.stringMatching(/^\d+$/), holder: 'a' });
  });

  test('does nothing if its signal has already aborted', async () => {
    const store = new FailingStore();
    await electorOn(store.store).campaign(never, { signal: AbortSignal.abort() });
    expect(store.calls).toBe(0);
  });

  test('ends if its signal aborts while the store is being opened', async () => {
    const stop = new AbortController();
    const running = electorOn('memory:').campaign(never, { signal: stop.signal });
    const acquiring = electorOn('memory:').acquire({ signal: stop.signal });
    stop.abort(new Error('enough'));
    await running;
    await expect(acquiring).rejects.toThrow('enough');
  });

  test('one of many candidates leads at a time, and each term has a larger token', async () => {
    const store = new MemoryLeaseStore();
    const stop = new AbortController();
    let leading = 0;
    const tokens: bigint[] = [];
    const all = Array.from({ length: 5 }, (_, i) =>
      electorOn(store, { id: `c${i}` }).campaign(
        async (lead) => {
          expect(++leading).toBe(1);
          tokens.push(lead.token);
          if (tokens.length === 8) stop.abort();
          await sleep(5);
          leading--;
        },
        { signal: stop.signal },
      ),
    );
    await Promise.all(all);
    expect((await store.history('job')).map(({ token }) => token)).toEqual(tokens.reverse());
    expect(new Set(tokens).size).toBe(8);
  }, 20_000);
});

describe('acquire', () => {
  test('with timeoutMs 0 takes a free lease, however slow the store, and waits for none', async () => {
    const store = new MemoryLeaseStore();
    const claim = store.acquire.bind(store);
    store.acquire = async (claims) => {
      await sleep(30);
      return claim(claims);
    };
    // With a short lease the answer would have to come within a fraction of it.
    const lead = await electorOn(store, { ttlMs: 60_000 }).acquire({ timeoutMs: 0 });
    expect(lead.isValid()).toBe(true);
    await expect(electorOn(store).acquire({ timeoutMs: 0 })).rejects.toThrow(AcquireTimeoutError);
    await lead.release();
    expect(await store.history('job')).toHaveLength(1);
  });

  test('await using releases the lease at the end of the block', async () => {
    const store = new MemoryLeaseStore();
    const elector = electorOn(store);
    {
      await using lead = await elector.acquire();
      expect(lead.isValid()).toBe(true);
      expect(lead.remainingMs()).toBeGreaterThan(0);
      expect((await elector.leader()).type).toBe('led');
    }
    expect((await elector.leader()).type).toBe('vacant');
  });

  test('rejects after its timeout and names the leader', async () => {
    const store = new MemoryLeaseStore();
    await using _held = await electorOn(store, { id: 'first' }).acquire();
    const waiting = electorOn(store, { id: 'second' }).acquire({ timeoutMs: 50 });
    await expect(waiting).rejects.toThrow(AcquireTimeoutError);
    await expect(waiting).rejects.toThrow("it is held by 'first'");
  });

  test('rejects after its timeout with the error of the store', async () => {
    const failing = new FailingStore();
    failing.failure = 'unreachable';
    const waiting = electorOn(failing.store).acquire({ timeoutMs: 200 });
    await expect(waiting).rejects.toMatchObject({ cause: { code: 'HUSTINGS_STORE_UNREACHABLE' } });
    await expect(waiting).rejects.toThrow(/within 200 ms: (?!the store keeps)/);
  });

  test('rejects with the reason of its signal', async () => {
    const store = new MemoryLeaseStore();
    await using _held = await electorOn(store).acquire();
    const stop = new AbortController();
    const waiting = electorOn(store).acquire({ signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 30);
    await expect(waiting).rejects.toThrow('enough');
  });

  test('leads as soon as the holder releases, without waiting for the lease to expire', async () => {
    const store = new MemoryLeaseStore();
    const first = await electorOn(store, { ttlMs: 60_000 }).acquire();
    const waiting = electorOn(store, { ttlMs: 60_000 }).acquire();
    await sleep(20);
    await first.release();
    const second = await waiting;
    expect(second.token > first.token).toBe(true);
    await second.release();
  });
});

describe('the end of a term', () => {
  async function lossUnder(failure: 'silent' | 'unreachable'): Promise<LeaseLostError> {
    const failing = new FailingStore();
    const lead = await electorOn(failing.store, { ttlMs: LONGER }).acquire();
    failing.failure = failure;
    const reason = await aborted(lead.signal);
    expect(lead.isValid()).toBe(false);
    expect(() => lead.assert()).toThrow(LeaseLostError);
    failing.failure = 'none';
    await lead.release();
    return reason as LeaseLostError;
  }

  // These three wait most of the time. On a busy machine a shorter lease may end because the process did not run.
  test.concurrent('a store that does not answer: renew-timeout', async () => {
    expect((await lossUnder('silent')).reason).toBe('renew-timeout');
  });

  test.concurrent('a store that cannot be reached: store-unreachable', async () => {
    expect((await lossUnder('unreachable')).reason).toBe('store-unreachable');
  });

  test.concurrent('work that reports no progress is not renewed: stalled; work that reports progress continues', async () => {
    const store = new MemoryLeaseStore();
    let renewals = 0;
    const onEvent = ({ type }: ElectorEvent): void => void (type === 'renewed' && renewals++);
    const elector = electorOn(store, { ttlMs: LONGER, stallAfterMs: LONGER / 3, onEvent });
    const lead = await elector.acquire();
    const reporting = setInterval(() => lead.progress(), 30);
    await until(() => renewals >= 3);
    expect(lead.isValid()).toBe(true);
    clearInterval(reporting);
    const reason = (await aborted(lead.signal)) as LeaseLostError;
    expect(reason.reason).toBe('stalled');
    await lead.release();
    expect((await store.history('job'))[0].cause).toBe('stalled');
  });

  test('one failed renewal does not end the term', async () => {
    const failing = new FailingStore();
    const events: ElectorEvent['type'][] = [];
    const elector = electorOn(failing.store, { onEvent: ({ type }) => events.push(type) });
    const lead = await elector.acquire();
    failing.failure = 'unreachable';
    await until(() => events.includes('store-error'));
    failing.failure = 'none';
    await until(() => events.includes('renewed'));
    expect(lead.isValid()).toBe(true);
    await lead.release();
  });

  test('after a blocked event loop the next assert throws, no work begins, and the reason says so', async () => {
    const store = new MemoryLeaseStore();
    const stop = new AbortController();
    const lead = await electorOn(store).acquire();
    const end = performance.now() + 2 * TTL;
    while (performance.now() < end);
    // In the same turn of the event loop: no timer of ours has run yet.
    expect(lead.isValid()).toBe(false);
    expect(lead.remainingMs()).toBe(0);
    expect(() => lead.assert()).toThrow(LeaseLostError);
    await expect(lead.guard(never)).rejects.toThrow(LeaseLostError);
    const reason = (await aborted(lead.signal)) as LeaseLostError;
    expect(reason.reason).toBe('suspended');
    // Which of the two is inferred from the processor time, which is short on a busy machine.
    expect(reason.message).toMatch(/did not run for \d+ ms: (its event loop was blocked|it was suspended)/);
    await lead.release();
    stop.abort();
  });

  test('evict: the work is told to stop, with the reason evicted', async () => {
    const store = new MemoryLeaseStore();
    const lead = await electorOn(store, { id: 'old' }).acquire();
    expect(await store.evict('job')).toBe(true);
    const reason = (await aborted(lead.signal)) as LeaseLostError;
    expect(reason.reason).toBe('evicted');
    await lead.release();
  });

  test('assert with too little left says how much, and the term continues', async () => {
    const lead = await electorOn(new MemoryLeaseStore()).acquire();
    await sleep(5);
    expect(() => lead.assert({ needMs: 560 })).toThrow(/560 ms are needed/);
    expect(lead.isValid()).toBe(true);
    await lead.release();
  });
});

describe('a handover', () => {
  async function candidates(
    first: Partial<ElectorOptions>,
    second: Partial<ElectorOptions>,
  ): Promise<string[]> {
    const store = new MemoryLeaseStore();
    const stop = new AbortController();
    const leaders: string[] = [];
    const runs = [first, second].map(async (options, i) => {
      if (i === 1) await until(() => leaders.length === 1);
      return electorOn(store, options).campaign(
        async (lead: Lead) => {
          leaders.push(lead.term.holder);
          if (leaders.length === 2) stop.abort();
          await aborted(lead.signal);
        },
        { signal: stop.signal },
      );
    });
    await Promise.all(runs);
    return leaders;
  }

  test('a leader yields to a candidate of higher priority that has waited', async () => {
    const leaders = await candidates(
      { id: 'low', priority: 1, yieldAfterMs: 200 },
      { id: 'high', priority: 2 },
    );
    expect(leaders).toEqual(['low', 'high']);
  }, 20_000);

  test('transfer reserves the lease for its successor, though others wait', async () => {
    const store = new MemoryLeaseStore();
    const first = await electorOn(store, { id: 'first', ttlMs: 5_000 }).acquire();
    const stop = new AbortController();
    const got: string[] = [];
    const waits = ['x', 'successor', 'y'].map((id) =>
      electorOn(store, { id, ttlMs: 5_000 })
        .acquire({ signal: stop.signal })
        .then(
          async (lead) => {
            got.push(id);
            stop.abort();
            await lead.release();
          },
          () => {},
        ),
    );
    await sleep(30);
    await first.transfer({ to: 'successor' });
    await Promise.all(waits);
    expect(got[0]).toBe('successor');
    expect((await store.history('job')).at(-1)?.cause).toBe('transferred');
  });

  test('the holder carries out a transfer that an operator requests', async () => {
    const store = new MemoryLeaseStore();
    const lead = await electorOn(store, { id: 'first' }).acquire();
    await store.acquire([claimOf('job', 'second', { registerMs: 60_000 })]);
    expect(await store.requestTransfer('job', 'second')).toBe('requested');
    const reason = (await aborted(lead.signal)) as LeaseLostError;
    expect(reason.reason).toBe('transferred');
    await lead.release();
    const view = await electorOn(store).leader();
    expect(view).toMatchObject({ type: 'vacant', successor: 'second' });
  });
});

describe('a store that fails', () => {
  test('and is down at the start is retried until it answers', async () => {
    const failing = new FailingStore();
    failing.failure = 'unreachable';
    const waiting = electorOn(failing.store).acquire();
    await until(() => failing.calls >= 3);
    failing.failure = 'none';
    await (await waiting).release();
  });

  test('and rejects the candidate from the start ends the call with its error', async () => {
    const failing = new FailingStore();
    failing.failure = 'denied';
    const elector = electorOn(failing.store);
    await expect(elector.campaign(never)).rejects.toMatchObject({ code: 'HUSTINGS_STORE_DENIED' });
    await expect(elector.acquire()).rejects.toMatchObject({ code: 'HUSTINGS_STORE_DENIED' });
  });

  test('and rejects the candidate later is retried until it answers', async () => {
    const failing = new FailingStore();
    const stop = new AbortController();
    let terms = 0;
    const running = electorOn(failing.store).campaign(
      async (lead) => {
        if (++terms === 2) return stop.abort();
        failing.failure = 'denied';
        await aborted(lead.signal);
        setTimeout(() => {
          failing.failure = 'none';
        }, TTL);
      },
      { signal: stop.signal },
    );
    await running;
    expect(terms).toBe(2);
  }, 20_000);

  test('and rejects the candidate in a later call of its elector is retried, and makes it unhealthy', async () => {
    const failing = new FailingStore();
    const elector = electorOn(failing.store, { ttlMs: LONGER });
    expect(await elector.runOnce(() => 'first')).toBe('first');
    failing.failure = 'denied';
    const { calls } = failing;
    const second = elector.runOnce(() => 'second');
    await Promise.race([second, until(() => failing.calls >= calls + 3)]);
    expect(elector.health()).toMatchObject({ state: 'waiting', healthy: false });
    await expect(elector.acquire({ timeoutMs: 50 })).rejects.toMatchObject({
      code: 'HUSTINGS_ACQUIRE_TIMEOUT',
      cause: { code: 'HUSTINGS_STORE_DENIED' },
    });
    failing.failure = 'none';
    expect(await second).toBe('second');
    expect(elector.health()).toMatchObject({ healthy: true, problem: null });
  });
});

describe('watch', () => {
  test('yields each change, and unknown while the store cannot be read', async () => {
    const failing = new FailingStore();
    const stop = new AbortController();
    const elector = electorOn(failing.store, { id: 'a' });
    const seen: string[] = [];
    const watching = (async () => {
      for await (const view of elector.watch({ signal: stop.signal })) seen.push(view.type);
    })();
    await until(() => seen.length === 1);
    const lead = await elector.acquire();
    await until(() => seen.length === 2);
    await lead.release();
    await until(() => seen.length === 3);
    failing.failure = 'silent';
    await until(() => seen.length === 4);
    failing.failure = 'none';
    await until(() => seen.length === 5);
    stop.abort();
    await watching;
    expect(seen).toEqual(['vacant', 'led', 'vacant', 'unknown', 'vacant']);
  }, 20_000);
});

describe('createElector rejects', () => {
  const store = new MemoryLeaseStore();
  test.each<[string, Partial<ElectorOptions>]>([
    ['fewer than 4 renewals per ttl', { renewEveryMs: 200 }],
    ['a request timeout over a quarter of the ttl', { requestTimeoutMs: 200 }],
    ['a ttl below half a second', { ttlMs: 100 }],
    ['a hard deadline after the end of the lease', { killAfterMs: 700 }],
    ['no margin for clocks that differ', { killAfterMs: 599 }],
    ['both a preset and a ttl', { preset: 'fast' }],
    ['a fraction of a millisecond', { ttlMs: 1000.5 }],
    ['an empty name', { name: '' }],
    ['a name with a control character', { name: 'a\0b' }],
    ['an endless priority', { priority: Number.POSITIVE_INFINITY }],
    ['a candidate without a name', { id: '' }],
    ['a short fence key', { fenceKey: 'short' }],
  ])('%s', (_, options) => {
    expect(() => electorOn(store, options)).toThrow(InputError);
  });

  test.each<[string, unknown, RegExp]>([
    ['no options', undefined, /^the options of createElector must be an object, not undefined$/],
    ['no store', { name: 'job' }, /^store is required; give a URL such as 'sqlite:/],
    ['null as store', { name: 'job', store: null }, /^store is required;/],
    ['a number as store', { name: 'job', store: 7 }, /^store must be a URL or a LeaseStore, not a number;/],
    [
      'an ioredis client',
      { name: 'job', store: new Redis({ lazyConnect: true }) },
      /not a Redis client; give a store that is opened with it: await RedisLeaseStore\.open\(client\)$/,
    ],
    [
      'a client of node-redis',
      { name: 'job', store: createClient() },
      /await RedisLeaseStore\.open\(client\)$/,
    ],
    [
      'a URL object',
      { name: 'job', store: new URL('redis://u:secret@host') },
      /^store must be the text of a URL, not a URL object; give url.href$/,
    ],
    ['an object of another kind', { name: 'job', store: {} }, /not an object; /],
    [
      'a pool of pg',
      { name: 'job', store: new pg.Pool() },
      /not a PostgreSQL client; give a store that is opened with it: await PostgresLeaseStore\.open\(client\)$/,
    ],
    ['a client of pg', { name: 'job', store: new pg.Client() }, /await PostgresLeaseStore\.open\(client\)$/],
    [
      'a client of Postgres.js',
      { name: 'job', store: postgres() },
      /await PostgresLeaseStore\.open\(client\)$/,
    ],
    [
      'a pool of mysql2',
      { name: 'job', store: mysql.createPool({}) },
      /not a MySQL client; give a store that is opened with it: await MysqlLeaseStore\.open\(client\)$/,
    ],
    [
      'a promise pool of mysql2',
      { name: 'job', store: promises.createPool({}) },
      /await MysqlLeaseStore\.open\(client\)$/,
    ],
    [
      'a client of no store, which has queries too',
      { name: 'job', store: { query: () => undefined, createQueryRunner: () => undefined } },
      /not an object; give a URL/,
    ],
    [
      'an option that does not exist',
      { name: 'job', store, ttl: 3_000 },
      /^createElector has no option 'ttl'; did you mean ttlMs\?$/,
    ],
    [
      'an option that is like no other',
      { name: 'job', store, colour: 'red' },
      /has no option 'colour'; its options are store, name/,
    ],
  ])('%s, in one line', (_, options, message) => {
    const create = (): unknown => createElector(options as ElectorOptions);
    expect(create).toThrow(InputError);
    expect(create).toThrow(message);
    expect(create).toThrow(/^[^\n]{1,300}$/);
  });

  test('a URL of no store, at once and without its secrets', () => {
    const create = () => createElector({ name: 'job', store: 'mongodb://u:secret@host/db' });
    expect(create).toThrow(InputError);
    expect(create).toThrow(
      /^the URL of a store cannot have the scheme "mongodb:"; give sqlite:PATH, [^@\n]+$/,
    );
  });

  test('misspelled options of calls, which would otherwise wait without limit', async () => {
    const elector = electorOn(store);
    const misspelled = { timeout: 10 } as never;
    await expect(elector.acquire(misspelled)).rejects.toThrow(
      "acquire has no option 'timeout'; did you mean timeoutMs?",
    );
    await expect(elector.runOnce(never, misspelled)).rejects.toThrow("runOnce has no option 'timeout'");
    await expect(elector.history(misspelled)).rejects.toThrow("history has no option 'timeout'");
    expect(() => elector.watch(misspelled)).toThrow("watch has no option 'timeout'");
    await expect(elector.campaign(never, misspelled)).rejects.toThrow("campaign has no option 'timeout'");
  });
});
