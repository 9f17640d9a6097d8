import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  describeWith,
  startRedis,
  startTcpProxy,
  type TestServer,
} from '../../../../../../test-kit/servers/index.ts';
import { InputError } from '../../../../../study/src/kernel/errors.ts';
import {
  RedisLeaseStore,
  type RedisStoreOptions,
} from '../../../../src/lease/stores/redis/redis-lease-store.ts';
import { keysOf } from '../../../../src/lease/stores/redis/redis-row.ts';
import { claimOf, releaseOf, win } from '../../contract/single-call.ts';
import { storeContract } from '../../contract/store-contract.ts';
import { redisHooks } from './redis-hooks.ts';

await describeWith('redis-server', 'Redis', () => {
  let server: TestServer;
  let raw: Redis;
  const opened: RedisLeaseStore[] = [];
  const open = async (options?: RedisStoreOptions): Promise<RedisLeaseStore> => {
    // Many calls wait for one disk here: what is late is not lost.
    const store = await RedisLeaseStore.open(server.url, { timeoutMs: 20_000, ...options });
    opened.push(store);
    return store;
  };

  beforeAll(async () => {
    server = await startRedis();
    raw = new Redis(server.url, { stringNumbers: true });
  });
  afterAll(async () => {
    for (const store of opened) await store.close();
    raw?.disconnect();
    await server?.stop();
  });

  storeContract('Redis', {
    open,
    ...redisHooks(() => raw),
  });

  it('keeps the keys of an election together, in one slot of a cluster, and apart from all others', async () => {
    const names = [
      'a',
      '{a}',
      'a}',
      '{a',
      '{}',
      '%7Ba%7D',
      'a:lease',
      'a}:lease',
      '}{',
      '{a}:lease',
      'a b',
      'a%20b',
    ];
    const keys = names.map((name) => keysOf('p:', name));
    const all = keys.flatMap(({ layout, ...own }) => Object.values(own));
    expect(new Set([...all, 'p:layout']).size).toBe(all.length + 1);
    for (const { layout, ...own } of keys) {
      expect(own.row).toMatch(/^p:\{[^{}]+\}:lease$/);
      expect(new Set(Object.values(own).map((key) => key.slice(0, key.indexOf('}')))).size).toBe(1);
    }
  });

  it('with two prefixes is two stores, whatever characters they have', async () => {
    const [a, b, star] = await Promise.all(
      ['x:', 'x:y:', 'x*['].map((prefix) => open({ prefix, waitAfterRestart: false })),
    );
    await win(a, 'job', 'a');
    await win(b, 'job', 'b');
    await win(star, 'other', 's');
    expect([await a.names(), await b.names(), await star.names()]).toEqual([['job'], ['job'], ['other']]);
    await expect(RedisLeaseStore.open(server.url, { prefix: 'a{b}' })).rejects.toThrow(InputError);
  });

  it('creates no key with a time to live', async () => {
    const store = await open({ prefix: 'ttl:', waitAfterRestart: false });
    const token = await win(store, 'job', 'a');
    await store.release([releaseOf('job', 'a', token)]);
    const next = await win(store, 'job', 'a');
    await store.acquire([claimOf('job', 'b', { registerMs: 60_000 })]);
    const tick = { name: 'job', nonce: 'a-nonce', token: next, tickMs: 1, missedMs: [], retry: false };
    expect((await store.startTick(tick)).type).toBe('started');
    const keys = await raw.keys('ttl:*');
    const own = ['lease', 'terms', 'ticks', 'waiting'].map((key) => `ttl:{job}:${key}`);
    expect(keys.sort()).toEqual(['ttl:layout', ...own]);
    for (const key of keys) expect(await raw.pttl(key)).toBe('-1');
  });

  it('registers a waiting candidate again only when half of its time is over, and removes those that are over', async () => {
    const store = await open();
    const { waiting } = keysOf('hustings:', 'waited for');
    await win(store, 'waited for', 'a');
    const ask = (id: string) => store.acquire([claimOf('waited for', id, { registerMs: 3_600_000 })]);
    await ask('b');
    const first = await raw.hgetall(waiting);
    await ask('b');
    expect(await raw.hgetall(waiting)).toEqual(first);
    const aged = (ms: number): string => {
      const entry = JSON.parse(first['b-nonce']) as string[];
      return JSON.stringify([...entry.slice(0, 3), `${Number(entry[3]) - ms}`]);
    };
    await raw.hset(waiting, 'b-nonce', aged(1_900_000));
    await ask('b');
    expect((await store.candidates('waited for'))[0].seenMs).toBeLessThan(600_000);
    await raw.hset(waiting, 'b-nonce', aged(3_700_000));
    await ask('c');
    expect(await raw.hkeys(waiting)).toEqual(['c-nonce']);
  });

  it('finds its scripts again after SCRIPT FLUSH, for each step of a list', async () => {
    const store = await open();
    const names = Array.from({ length: 20 }, (_, index) => `flushed ${index}`);
    await raw.script('FLUSH');
    const answers = await store.acquire(names.map((name) => claimOf(name, 'a')));
    expect(answers.map(({ type }) => type)).toEqual(names.map(() => 'ok'));
    await raw.script('FLUSH');
    expect((await store.read(names)).map(({ holder }) => holder?.id)).toEqual(names.map(() => 'a'));
    await raw.script('FLUSH');
    expect(await store.evict('flushed 3')).toBe(true);
  });

  it('gives the next number when a token is ahead of the clock, exactly', async () => {
    const store = await open({ prefix: 'ahead:', waitAfterRestart: false });
    for (const start of [2n ** 53n + 1n, 2n ** 62n + 1n]) {
      await store.release([releaseOf('ahead', 'a', await win(store, 'ahead', 'a'))]);
      await raw.hset(keysOf('ahead:', 'ahead').row, 'token', `${start}`);
      expect(await win(store, 'ahead', 'a')).toBe(start + 1n);
    }
  });

  it('renews a thousand leases in one round trip', async () => {
    const proxy = await startTcpProxy(server.port);
    try {
      const store = await RedisLeaseStore.open(proxy.url(server.url), { timeoutMs: 20_000 });
      opened.push(store);
      const names = Array.from({ length: 1_000 }, (_, index) => `many ${index}`);
      const answers = await store.acquire(names.map((name) => claimOf(name, 'a')));
      const renewals = names.map((name, index) => {
        const answer = answers[index];
        if (answer.type !== 'ok') throw new Error(`no lease of ${name}`);
        return { name, nonce: 'a-nonce', token: answer.token, ttlMs: 60_000 };
      });
      await store.renew(renewals);
      proxy.delay(400);
      const startMs = performance.now();
      expect((await store.renew(renewals)).every(({ type }) => type === 'ok')).toBe(true);
      const tookMs = performance.now() - startMs;
      expect(tookMs).toBeGreaterThan(790);
      // A tenth of what one round trip for every ten leases would take.
      expect(tookMs).toBeLessThan(8_000);
      expect(proxy.connections).toBe(1);
    } finally {
      await proxy.close();
    }
  });
});
