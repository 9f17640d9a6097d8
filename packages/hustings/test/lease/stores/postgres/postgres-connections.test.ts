/** How many connections a store opens, and what arrives through a pooler. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import {
  describeWith,
  startPostgres,
  startTcpProxy,
  type TestServer,
} from '../../../../../../test-kit/servers/index.ts';
import {
  PostgresLeaseStore,
  type PostgresStoreOptions,
} from '../../../../src/lease/stores/postgres/postgres-lease-store.ts';
import { claimOf } from './requests.ts';

/**
 * What a pooler in transaction mode does to notifications: LISTEN is accepted, and a client is sent what the server says only
 * while it waits for an answer.
 */
async function startPooler(serverPort: number): Promise<{
  readonly port: number;
  readonly swallowed: number;
  close(): Promise<void>;
}> {
  let swallowed = 0;
  const sockets = new Set<Socket>();
  const pooler = createServer((client) => {
    const upstream = createConnection(serverPort, '127.0.0.1');
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => undefined));
    let isIdle = false;
    let rest = Buffer.alloc(0);
    client.on('data', (data) => {
      isIdle = false;
      upstream.write(data);
    });
    upstream.on('data', (data) => {
      rest = Buffer.concat([rest, data]);
      for (let length = 0; rest.length >= 5; rest = rest.subarray(length)) {
        length = 1 + rest.readUInt32BE(1);
        if (rest.length < length) break;
        const type = String.fromCharCode(rest[0]);
        if (type === 'A' && isIdle) swallowed += 1;
        else client.write(rest.subarray(0, length));
        if (type === 'Z') isIdle = true;
      }
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(pooler, 'listening');
  return {
    port: (pooler.address() as { port: number }).port,
    get swallowed() {
      return swallowed;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      pooler.close();
      await once(pooler, 'close');
    },
  };
}

await describeWith('postgres', 'the connections of a store on PostgreSQL', () => {
  let server: TestServer;
  const opened: PostgresLeaseStore[] = [];
  const open = async (url: string, options?: PostgresStoreOptions): Promise<PostgresLeaseStore> => {
    const store = await PostgresLeaseStore.open(url, options);
    opened.push(store);
    return store;
  };
  beforeAll(async () => {
    server = await startPostgres({
      settings: { max_connections: '20', superuser_reserved_connections: '2' },
    });
  }, 90_000);
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });
  afterAll(() => server?.stop());

  it('are opened one at a time, while a server accepts and does not answer', async () => {
    const sockets = new Set<Socket>();
    let most = 0;
    const silent = createServer((socket) => {
      sockets.add(socket);
      most = Math.max(most, sockets.size);
      socket
        .on('close', () => sockets.delete(socket))
        .on('error', () => undefined)
        .resume();
    }).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    try {
      const store = await open(`postgres://postgres@127.0.0.1:${port}/postgres`, { timeoutMs: 500 });
      store.watch('x', () => undefined);
      const call = (index: number) => store.acquire([claimOf(`x${index}`, 'a')]).catch(({ kind }) => kind);
      for (let round = 0; round < 3; round++) {
        const calls = Array.from({ length: 5 }, (_, index) => call(index));
        expect(new Set(await Promise.all(calls))).toEqual(new Set(['unreachable']));
      }
      expect(most).toBe(1);
    } finally {
      for (const socket of sockets) socket.destroy();
      silent.close();
    }
  });

  it('of processes that start at once on a slow server leave room for others', async () => {
    const admin = new pg.Client(server.url);
    await admin.connect();
    await (await open(server.url)).init();
    await admin.query(`CREATE ROLE app LOGIN; GRANT ALL ON ALL TABLES IN SCHEMA public TO app`);
    const url = new URL(server.url);
    url.username = 'app';
    // As many as 30 processes to 100 connections.
    const stores = await Promise.all(Array.from({ length: 5 }, () => open(url.href, { timeoutMs: 20_000 })));
    server.pause();
    const calls = stores.flatMap((store, place) => {
      store.watch('crowd', () => undefined);
      return Array.from({ length: 10 }, (_, index) =>
        store.acquire([claimOf(`crowd ${place} ${index}`, 'a')]),
      );
    });
    const answers = Promise.allSettled(calls);
    await sleep(300);
    server.resume();
    expect((await answers).filter(({ status }) => status === 'rejected')).toEqual([]);
    await expect.poll(() => stores.every((store) => store.isPushing()), { timeout: 20_000 }).toBe(true);
    const { rows } = await admin.query(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE usename = 'app'",
    );
    await admin.end();
    expect(rows[0].n).toBeLessThanOrEqual(3 * stores.length);
    expect(readFileSync(join(server.folder, 'log'), 'utf8')).not.toMatch(/too many clients|connection slots/);
  });

  it('push only after a probe has come through, and not after they were lost', async () => {
    const [store, other] = [await open(server.url), await open(server.url)];
    await other.acquire([claimOf('pushed', 'a')]);
    expect(store.isPushing()).toBe(false);
    let notifications = 0;
    const unwatch = store.watch('pushed', () => notifications++);
    expect(store.isPushing()).toBe(false);
    await expect.poll(() => store.isPushing(), { timeout: 20_000 }).toBe(true);
    const settled = notifications;
    await other.evict('pushed');
    await expect.poll(() => notifications, { timeout: 20_000 }).toBeGreaterThan(settled);
    unwatch();
    expect(store.isPushing()).toBe(false);
  });

  it('do not push while they are cut, and push again afterwards', async () => {
    const proxy = await startTcpProxy(server.port);
    try {
      const store = await open(proxy.url(server.url));
      store.watch('cut', () => undefined);
      await expect.poll(() => store.isPushing(), { timeout: 20_000 }).toBe(true);
      proxy.set('cut');
      await expect.poll(() => store.isPushing(), { timeout: 20_000 }).toBe(false);
      proxy.set('pass');
      await expect.poll(() => store.isPushing(), { timeout: 20_000 }).toBe(true);
    } finally {
      await proxy.close();
    }
  });

  it('do not push through a pooler that assigns connections per transaction, and work otherwise', async () => {
    const pooler = await startPooler(server.port);
    const url = new URL(server.url);
    url.port = `${pooler.port}`;
    try {
      const [store, other] = [await open(url.href), await open(server.url)];
      await store.acquire([claimOf('pooled', 'a')]);
      let notifications = 0;
      store.watch('pooled', () => notifications++);
      await expect.poll(() => notifications, { timeout: 20_000 }).toBe(1);
      await other.evict('pooled');
      // The probe and the eviction have both reached the connection that listens.
      await expect.poll(() => pooler.swallowed, { timeout: 20_000 }).toBeGreaterThanOrEqual(2);
      expect([store.isPushing(), notifications]).toEqual([false, 1]);
    } finally {
      await pooler.close();
    }
  });
});
