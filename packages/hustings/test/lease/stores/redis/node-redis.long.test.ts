/** Stores on the server of an existing client of node-redis: the contract, and what its library does differently. */
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith, startRedis, type TestServer } from '../../../../../../test-kit/servers/index.ts';
import { RedisLeaseStore } from '../../../../src/lease/stores/redis/redis-lease-store.ts';
import { claim, eventually, renew, win } from '../../contract/single-call.ts';
import { storeContract } from '../../contract/store-contract.ts';
import { open, start, toEnd } from './redis-fixture.ts';
import { redisHooks } from './redis-hooks.ts';

function connect(url: string, options: object = {}) {
  const client = createClient({ url, ...options });
  client.on('error', () => undefined);
  toEnd.push(async () => {
    if (client.isOpen) client.destroy();
  });
  return client;
}

await describeWith('redis-server', 'an existing client of node-redis', () => {
  let server: TestServer;
  let raw: Redis;
  const client = createClient({ socket: { host: '127.0.0.1' } });
  beforeAll(async () => {
    server = await startRedis({ appendonly: false });
    raw = new Redis(server.url);
  });
  afterAll(async () => {
    raw?.disconnect();
    await server?.stop();
  });

  storeContract('node-redis', {
    open: (options) => {
      const { port } = server;
      return RedisLeaseStore.open(client.duplicate({ socket: { host: '127.0.0.1', port } }), {
        timeoutMs: 20_000,
        ...options,
      });
    },
    runs: 5,
    ...redisHooks(() => raw),
  });

  it('gives the store its server, database and login, and is neither used nor closed', async () => {
    const own = await start({ password: 's3cr3t' });
    const existing = connect(`${own.url}/3`, { RESP: 3 });
    await existing.connect();
    const store = await open(existing, { waitAfterRestart: false });
    expect(store.label).toBe(`redis://127.0.0.1:${own.port}/3`);
    // A client that waits would delay a renewal.
    const waits = existing.blPop('nothing', 0).catch(() => 'ended');
    const token = await win(store, 'job', 'a');
    expect(await renew(store, 'job', 'a', token)).toMatchObject({ type: 'ok' });
    await store.close();
    expect(existing.isReady).toBe(true);
    existing.destroy();
    expect(await waits).toBe('ended');
    const wrong = await open(connect(own.url.replace('s3cr3t', 'wr0ng')));
    const error = await claim(wrong, 'job', 'b').catch((reason) => reason);
    expect(error).toMatchObject({ kind: 'denied' });
    expect(`${error} ${JSON.stringify(error)}`).not.toMatch(/s3cr3t|wr0ng/);
  });

  it('is reached again after a restart, and a server that does not answer ends the call in time', async () => {
    const own = await start();
    const store = await open(connect(own.url), { timeoutMs: 500 });
    const token = await win(store, 'job', 'a');
    let notifications = 0;
    store.watch('job', () => notifications++);
    await expect.poll(() => store.isPushing(), { timeout: 20_000 }).toBe(true);
    await own.kill9();
    await expect(renew(store, 'job', 'a', token)).rejects.toMatchObject({ kind: 'unreachable' });
    await own.restart();
    const renewed = () => renew(store, 'job', 'a', token).catch(() => undefined);
    expect(await eventually(renewed, 'the server is reached again')).toMatchObject({ type: 'ok' });
    await expect.poll(() => store.isPushing(), { timeout: 20_000 }).toBe(true);
    own.pause();
    await expect(renew(store, 'job', 'a', token)).rejects.toMatchObject({ kind: 'unreachable' });
    own.resume();
    expect(await eventually(renewed, 'the server answers again')).toMatchObject({ type: 'ok' });
  });

  it('takes fresh credentials with each new connection', async () => {
    const own = await start({ acl: ['app on >second ~* &* +@all'] });
    const credentials = () => ({ username: 'app', password: 'second' });
    const store = await open(connect(own.url.replace('//', '//app:first@')), { credentials });
    await win(store, 'job', 'a');
  });
});
