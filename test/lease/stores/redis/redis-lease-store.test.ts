import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { InputError } from '../../../../src/kernel/errors.ts';
import {
  RedisLeaseStore,
  type RedisStoreOptions,
} from '../../../../src/lease/stores/redis/redis-lease-store.ts';
import { keysOf } from '../../../../src/lease/stores/redis/redis-row.ts';
import { claimOf, releaseOf, win } from '../../contract/single-call.ts';
import { storeContract } from '../../contract/store-contract.ts';
import { describeWith, startRedis, startTcpProxy, type TestServer } from '../../servers/index.ts';

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
    setToken: async (name, token) => {
      await raw.hset(keysOf('hustings:', name).row, 'token', `${token}`);
    },
    tokensConsecutive: false,
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
    const all = keys.flatMap(({ row, terms, channel }) => [row, terms, channel]);
    expect(new Set(all).size).toBe(all.length);
    for (const { row, terms } of keys) {
      expect(row).toMatch(/^p:\{[^{}]+\}:lease$/);
      expect(row.slice(0, row.indexOf('}'))).toBe(terms.slice(0, terms.indexOf('}')));
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
    await win(store, 'job', 'a');
    const keys = await raw.keys('ttl:*');
    expect(keys.sort()).toEqual(['ttl:layout', 'ttl:{job}:lease', 'ttl:{job}:terms']);
    for (const key of keys) expect(await raw.pttl(key)).toBe('-1');
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
    const store = await open();
    for (const start of [2n ** 53n + 1n, 2n ** 62n + 1n]) {
      await store.release([releaseOf('ahead', 'a', await win(store, 'ahead', 'a'))]);
      await raw.hset(keysOf('hustings:', 'ahead').row, 'token', `${start}`);
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
