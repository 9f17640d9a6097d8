/** What a lock on a whole table costs: no pile of backends, and no renewal that does not need the table. */
import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeWith, startPostgres, type TestServer } from '../../../../../../test-kit/servers/index.ts';
import {
  PostgresLeaseStore,
  type PostgresStoreOptions,
} from '../../../../src/lease/stores/postgres/postgres-lease-store.ts';
import { claimOf, win } from './requests.ts';

const CANCEL_REQUEST = 80_877_102;

/** What some poolers do with a cancel request: nothing. */
async function startDeafPooler(serverPort: number): Promise<{ readonly port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const pooler = createServer((client) => {
    sockets.add(client.on('error', () => undefined));
    client.once('data', (first) => {
      if (first.length === 16 && first.readInt32BE(4) === CANCEL_REQUEST) return void client.destroy();
      const upstream = createConnection(serverPort, '127.0.0.1');
      sockets.add(upstream.on('error', () => undefined));
      upstream.write(first);
      client.pipe(upstream).pipe(client);
    });
  }).listen(0, '127.0.0.1');
  await once(pooler, 'listening');
  return {
    port: (pooler.address() as { port: number }).port,
    close: () => {
      pooler.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

await describeWith('postgres', 'a lock on a whole table of PostgreSQL', () => {
  let server: TestServer;
  /** Has the lock. Another one counts backends: within a transaction the figures do not change. */
  let admin: pg.Client;
  let observer: pg.Client;
  const opened: PostgresLeaseStore[] = [];
  /** The stores have a role of their own, by which their backends are counted. */
  const open = async (options: PostgresStoreOptions, port = server.port): Promise<PostgresLeaseStore> => {
    const store = await PostgresLeaseStore.open(`postgres://app@127.0.0.1:${port}/postgres`, options);
    opened.push(store);
    return store;
  };
  const backends = async (condition = 'true'): Promise<number> => {
    const text = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE usename = 'app' AND ${condition}`;
    return (await observer.query(text)).rows[0].n;
  };
  /** Requests that time out, two at a time. After each round, backends that were given up end in their time. */
  const timeOut = async (store: PostgresLeaseStore, rounds: number): Promise<void> => {
    for (let round = 0; round < rounds; round++) {
      const calls = ['x', 'y'].map((name) => store.acquire([claimOf(name, 'b')]).catch(({ kind }) => kind));
      for (const kind of await Promise.all(calls)) expect(['busy', 'unreachable']).toContain(kind);
      await expect.poll(() => backends(), { timeout: 20_000 }).toBeLessThanOrEqual(4);
    }
  };

  beforeAll(async () => {
    server = await startPostgres();
    admin = new pg.Client(server.url);
    observer = new pg.Client(server.url);
    await Promise.all([admin.connect(), observer.connect()]);
    const store = await PostgresLeaseStore.open(server.url);
    await store.init();
    await store.close();
    await admin.query('CREATE ROLE app LOGIN; GRANT ALL ON ALL TABLES IN SCHEMA public TO app');
  }, 90_000);
  beforeEach(() => admin.query('BEGIN'));
  afterEach(async () => {
    await admin.query('ROLLBACK');
    for (const store of opened.splice(0)) await store.close();
    await expect.poll(() => backends(), { timeout: 20_000 }).toBe(0);
  });
  afterAll(async () => {
    await admin?.end();
    await observer?.end();
    await server?.stop();
  });

  it('leaves no backend of a statement that timed out, and is over when it is over', async () => {
    const store = await open({ timeoutMs: 250 });
    await admin.query('LOCK hustings_lease IN ACCESS EXCLUSIVE MODE');
    await timeOut(store, 8);
    await expect.poll(() => backends("wait_event_type = 'Lock'"), { timeout: 20_000 }).toBe(0);
    await admin.query('ROLLBACK');
    const answer = () => store.acquire([claimOf('x', 'c')]).then(([{ type }]) => type, String);
    // A statement that was abandoned would have acquired the lease for `b`.
    await expect.poll(answer, { timeout: 20_000 }).toBe('ok');
  });

  it('leaves at most two such backends behind a pooler that does not cancel, and is over when it is over', async () => {
    const pooler = await startDeafPooler(server.port);
    try {
      const store = await open({ timeoutMs: 250 }, pooler.port);
      await admin.query('LOCK hustings_lease IN ACCESS EXCLUSIVE MODE');
      await timeOut(store, 8);
      await expect(store.acquire([claimOf('x', 'b')])).rejects.toThrow(/pg_locks/);
      await admin.query('ROLLBACK');
      const answer = () => store.read(['x']).then(([{ name }]) => name, String);
      await expect.poll(answer, { timeout: 20_000 }).toBe('x');
      await expect.poll(() => backends(), { timeout: 20_000 }).toBeLessThanOrEqual(4);
    } finally {
      pooler.close();
    }
  });

  it('does not outlive a store that is closed meanwhile', async () => {
    const store = await open({ timeoutMs: 60_000 });
    await admin.query('LOCK hustings_lease IN ACCESS EXCLUSIVE MODE');
    const call = store.acquire([claimOf('closed', 'a')]).catch(({ name }) => name);
    await expect.poll(() => backends("wait_event_type = 'Lock'"), { timeout: 20_000 }).toBe(1);
    await store.close();
    expect(await call).toBe('StoreError');
    await expect.poll(() => backends(), { timeout: 20_000 }).toBe(0);
  });

  it.each([1, 2])(
    'of candidates delays no renewal and no release, with %i connections',
    async (connections) => {
      const store = await open({ timeoutMs: 4_000, connections });
      const names = ['one', 'two'].map((name) => `${name} of ${connections}`);
      const ttlMs = 60_000;
      const held = [];
      for (const name of names)
        held.push({ name, nonce: 'a', token: await win(store, claimOf(name, 'a', { ttlMs })) });
      await admin.query('LOCK hustings_candidate IN SHARE MODE');
      let answered = 0;
      const waiting = Array.from({ length: 4 }, (_, index) =>
        store
          .acquire([claimOf(names[0], `b${index}`, { ttlMs, registerMs: ttlMs })])
          .catch(() => undefined)
          .then(() => answered++),
      );
      await expect.poll(() => backends("wait_event_type = 'Lock'"), { timeout: 20_000 }).toBe(connections);
      expect(await store.renew([{ ...held[0], ttlMs }])).toMatchObject([{ type: 'ok' }]);
      expect(await store.renew(held.map((each) => ({ ...each, ttlMs })))).toMatchObject([
        { type: 'ok' },
        { type: 'ok' },
      ]);
      const end = { reason: 'released', successor: null, reserveMs: 0 } as const;
      expect(await store.release([{ ...held[1], ...end }])).toEqual([{ type: 'ok' }]);
      expect(answered).toBe(0);
      await admin.query('ROLLBACK');
      await Promise.all(waiting);
    },
  );
});
