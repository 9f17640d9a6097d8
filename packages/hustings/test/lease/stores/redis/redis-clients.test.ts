/** Stores on the servers of a client that the program already has. */
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { describeWith, type TestServer } from '../../../../../../test-kit/servers/index.ts';
import { InputError } from '../../../../../base/src/hustings-error.ts';
import { RedisLeaseStore } from '../../../../src/lease/stores/redis/redis-lease-store.ts';
import { claim, eventually, releaseOf, renew, win } from '../../contract/single-call.ts';
import { open, start, toEnd } from './redis-fixture.ts';

function connect(server: TestServer, options: object = {}): Redis {
  const redis = new Redis({ host: '127.0.0.1', port: server.port, ...options });
  redis.on('error', () => undefined);
  toEnd.push(async () => redis.disconnect());
  return redis;
}

describe('what is no client of Redis', () => {
  it.each([[{}], [null], [42], [new URL('redis://h')]])('is refused: %j', async (source) => {
    await expect(RedisLeaseStore.open(source as never)).rejects.toThrow(InputError);
  });
});

await describeWith('redis-server', 'an existing client of ioredis', () => {
  it('gives the store its server, database and login, and nothing else', async () => {
    const server = await start({ password: 's3cr3t' });
    const redis = connect(server, { password: 's3cr3t', db: 3, keyPrefix: 'app:' });
    const store = await open(redis, { waitAfterRestart: false });
    expect(store.label).toBe(`redis://127.0.0.1:${server.port}/3`);
    let notifications = 0;
    store.watch('job', () => notifications++);
    const token = await win(store, 'job', 'a');
    expect(await renew(store, 'job', 'a', token)).toMatchObject({ type: 'ok' });
    await expect.poll(() => store.isPushing(), { timeout: 20_000 }).toBe(true);
    await store.release([releaseOf('job', 'a', token)]);
    await expect.poll(() => notifications, { timeout: 20_000 }).toBeGreaterThan(1);
    const keys = await connect(server, { password: 's3cr3t', db: 3 }).keys('*');
    expect(keys).toContain('hustings:{job}:lease');
    expect(keys.filter((key) => key.startsWith('app:'))).toEqual([]);
  });

  it('is neither used nor closed, and may be closed before the store', async () => {
    const server = await start();
    const redis = connect(server);
    const store = await open(redis);
    const token = await win(store, 'job', 'a');
    // A client in a transaction, or one that waits, would delay a renewal.
    const waits = redis.blpop('nothing', 0).catch(() => 'ended');
    expect(await renew(store, 'job', 'a', token)).toMatchObject({ type: 'ok' });
    await store.close();
    expect(redis.status).toBe('ready');
    const second = await open(redis);
    redis.disconnect();
    expect(await waits).toBe('ended');
    expect(await renew(second, 'job', 'a', token)).toMatchObject({ type: 'ok' });
  });
});

await describeWith('redis-server', 'credentials that change', () => {
  it('are asked for with each new connection', async () => {
    const server = await start({ acl: ['app on >first ~* &* +@all'] });
    const admin = connect(server);
    let password = 'first';
    let asked = 0;
    const credentials = async () => {
      asked += 1;
      return { username: 'app', password };
    };
    const store = await open(`redis://nobody:old@127.0.0.1:${server.port}`, { credentials });
    const token = await win(store, 'job', 'a');
    const before = asked;
    expect(await renew(store, 'job', 'a', token)).toMatchObject({ type: 'ok' });
    expect(asked).toBe(before);
    await admin.call('ACL', 'SETUSER', 'app', 'resetpass', '>second');
    await admin.call('CLIENT', 'KILL', 'USER', 'app');
    const kind = () => renew(store, 'job', 'a', token).catch((error) => error.kind);
    await expect.poll(kind, { timeout: 20_000 }).toBe('denied');
    password = 'second';
    const renewed = () => renew(store, 'job', 'a', token).catch(() => undefined);
    expect(await eventually(renewed, 'the new password is used')).toMatchObject({ type: 'ok' });
  });

  it('that cannot be had fail the call, which ends in time if the function hangs', async () => {
    const server = await start();
    const failing = await open(server.url, {
      credentials: () => Promise.reject(new Error('vault is sealed')),
    });
    await expect(claim(failing, 'job', 'a')).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('vault is sealed'),
    });
    const hanging = await open(server.url, { timeoutMs: 200, credentials: () => new Promise(() => {}) });
    await expect(claim(hanging, 'job', 'a')).rejects.toMatchObject({ kind: 'unreachable' });
  });
});
