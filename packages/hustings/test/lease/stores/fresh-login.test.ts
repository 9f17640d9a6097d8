import { describe, expect, it } from 'vitest';
import { describeWith, startRedis } from '../../../../../test-kit/servers/index.ts';
import { createElector } from '../../../src/elector/create-elector.ts';
import { PostgresLeaseStore } from '../../../src/lease/stores/postgres/postgres-lease-store.ts';
import { RedisLeaseStore } from '../../../src/lease/stores/redis/redis-lease-store.ts';

const STORES = [
  ['Redis', (credentials: never) => RedisLeaseStore.open('redis://127.0.0.1:1', { credentials })],
  [
    'PostgreSQL',
    (credentials: never) => PostgresLeaseStore.open('postgres://127.0.0.1:1/d', { credentials }),
  ],
] as const;

describe.each(STORES)('the function credentials of %s', (_, open) => {
  it.each([
    [undefined, 'not undefined'],
    [null, 'not null'],
    ['s3cr3t', 'not a string'],
    [{ user: 'app', pass: 's3cr3t' }, 'not an object with user, pass'],
    [{ username: 7, password: 's3cr3t' }, 'not an object with username, password'],
  ])('must return a login: %j is refused for good, and not quoted', async (login, what) => {
    const store = await open((() => login) as never);
    const error = await store.read(['job']).catch((reason: unknown) => reason);
    await store.close();
    expect(error).toMatchObject({ kind: 'unusable' });
    expect(String(error)).toContain(`the function credentials must return { username, password }`);
    expect(String(error)).toContain(what);
    expect(String(error)).not.toContain('s3cr3t');
  });
});

await describeWith('redis-server', 'credentials of Redis', () => {
  it('may fail for a while: the candidate shows the error, asks again, and leads', async () => {
    const server = await startRedis();
    let asked = 0;
    const store = await RedisLeaseStore.open(`${server.url}?waitAfterRestart=false`, {
      credentials: async () => {
        asked += 1;
        if (asked < 3) throw new Error('vault is sealed');
        return { username: 'default', password: '' };
      },
    });
    const errors: string[] = [];
    const elector = createElector({
      ...{ store, name: 'job' },
      onEvent: (event) => event.type === 'store-error' && errors.push(String(event.error)),
    });
    try {
      expect(await elector.runOnce(async () => 'done', { timeoutMs: 40_000 })).toBe('done');
      expect(errors[0]).toContain('vault is sealed');
    } finally {
      await elector.close();
      await store.close();
      await server.stop();
    }
  });

  it('are named by the error if the server refuses them', async () => {
    const server = await startRedis();
    const store = await RedisLeaseStore.open(server.url, {
      credentials: () => ({ username: 'app', password: 'wr0ng' }),
    });
    const error = await store.read(['job']).catch((reason: unknown) => reason);
    await store.close();
    await server.stop();
    expect(error).toMatchObject({ kind: 'denied' });
    expect(String(error)).toContain('check what the function credentials returns');
    expect(String(error)).not.toMatch(/in the URL|wr0ng/);
  });
});
