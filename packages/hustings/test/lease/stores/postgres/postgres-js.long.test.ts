/** Stores on the server of an existing client of Postgres.js: the contract, and what its library does differently. */
import pg from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  describeWith,
  freePort,
  startPostgres,
  type TestServer,
} from '../../../../../../test-kit/servers/index.ts';
import { createElector } from '../../../../src/elector/create-elector.ts';
import { PostgresLeaseStore } from '../../../../src/lease/stores/postgres/postgres-lease-store.ts';
import { eventually } from '../../contract/single-call.ts';
import { storeContract } from '../../contract/store-contract.ts';
import { adminHooks } from './admin-hooks.ts';
import { claimOf, win } from './requests.ts';

await describeWith('postgres', 'an existing client of Postgres.js', () => {
  const password = 's3cr3t/p@ss';
  let server: TestServer;
  let admin: pg.Client;
  let sql: postgres.Sql;
  const opened: PostgresLeaseStore[] = [];
  const open = async (...args: Parameters<typeof PostgresLeaseStore.open>): Promise<PostgresLeaseStore> => {
    const store = await PostgresLeaseStore.open(...args);
    opened.push(store);
    return store;
  };
  const renewOf = (name: string, token: bigint) => ({ name, nonce: 'a', token, ttlMs: 60_000 });

  beforeAll(async () => {
    server = await startPostgres({ password });
    admin = new pg.Client(server.url);
    admin.on('error', () => undefined);
    await admin.connect();
    sql = postgres(server.url, { max: 1, transform: postgres.camel, idle_timeout: 1 });
  }, 90_000);
  afterAll(async () => {
    for (const store of opened) await store.close();
    await sql?.end({ timeout: 1 });
    await admin?.end();
    await server?.stop();
  });

  storeContract('Postgres.js', {
    open: (options) => PostgresLeaseStore.open(sql, { timeoutMs: 20_000, ...options }),
    runs: 5,
    ...adminHooks(() => admin),
  });

  it('gives the store its server and login, and is neither used nor closed', async () => {
    await sql.begin(async (transaction) => {
      // The only connection of the program is inside a transaction, which would delay a renewal.
      await transaction`SELECT 1`;
      const store = await open(sql);
      expect(store.label).toBe(`postgres://127.0.0.1:${server.port}/postgres`);
      const token = await win(store, claimOf('by Postgres.js', 'a'));
      expect(await store.renew([renewOf('by Postgres.js', token)])).toMatchObject([{ type: 'ok' }]);
      await store.close();
    });
    expect(await sql`SELECT 1 AS one`).toMatchObject([{ one: 1 }]);
  });

  it('is reached again after its connections were ended, and a locked row ends the call in time', async () => {
    const store = await open(sql, { timeoutMs: 1_000 });
    const token = await win(store, claimOf('ended', 'a'));
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'hustings'`,
    );
    const renewed = () => store.renew([renewOf('ended', token)]).catch(() => undefined);
    expect(await eventually(renewed, 'the server is reached again')).toMatchObject([{ type: 'ok' }]);
    await admin.query('BEGIN');
    await admin.query('LOCK TABLE hustings_lease');
    try {
      await expect(store.renew([renewOf('ended', token)])).rejects.toMatchObject({ name: 'StoreError' });
    } finally {
      await admin.query('ROLLBACK');
    }
    expect(await eventually(renewed, 'the row is free')).toMatchObject([{ type: 'ok' }]);
    const left = `SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = 'hustings' AND wait_event_type = 'Lock'`;
    await expect.poll(async () => (await admin.query(left)).rows[0].n, { timeout: 20_000 }).toBe('0');
  });

  it('leaves no connection behind, however early an elector and its store are closed', async () => {
    for (let round = 0; round < 25; round++) {
      const store = await PostgresLeaseStore.open(sql);
      const elector = createElector({ store, name: 'early' });
      expect(await elector.runOnce(async () => round)).toBe(round);
      await elector.close();
      await store.close();
    }
    const left = async () => {
      const { rows } = await admin.query(
        `SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'hustings' AND pid <> pg_backend_pid()`,
      );
      return rows[0].n;
    };
    for (const store of opened.splice(0)) await store.close();
    await expect.poll(left, { timeout: 20_000 }).toBe(0);
  }, 120_000);

  it('may list hosts that do not answer, has fresh credentials, and no error shows its secrets', async () => {
    const dead = await freePort();
    const hosts = { host: ['127.0.0.1', '127.0.0.1'], port: [dead, server.port], database: 'postgres' };
    const several = postgres({ ...hosts, username: 'us3r', password: 'wr0ng' } as object);
    const credentials = async () => ({ username: 'postgres', password });
    await win(await open(several, { credentials }), claimOf('several hosts', 'a'));
    const error = await (await open(postgres(server.url.replace(/\/\/.*@/, '//us3r:wr0ng@'))))
      .read(['job'])
      .catch((reason) => reason);
    expect(error).toMatchObject({ kind: 'denied' });
    expect(`${error} ${JSON.stringify(error)}`).not.toMatch(/us3r|wr0ng/);
  });
});
