/** A primary and a streaming standby: what the standby has when an answer arrives, and after it was promoted. */
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { describeWith, startPostgres, type TestServer } from '../../../../../../test-kit/servers/index.ts';
import { PostgresLeaseStore } from '../../../../src/lease/stores/postgres/postgres-lease-store.ts';
import { claimOf, win } from './requests.ts';

await describeWith('postgres', 'PostgreSQL with a standby', () => {
  let primary: TestServer;
  let standby: TestServer;
  const opened: PostgresLeaseStore[] = [];
  const open = async (server: TestServer, timeoutMs = 20_000): Promise<PostgresLeaseStore> => {
    const store = await PostgresLeaseStore.open(server.url, { timeoutMs });
    opened.push(store);
    return store;
  };
  const sql = async (server: TestServer, text: string): Promise<pg.QueryResult> => {
    const client = new pg.Client(server.url);
    await client.connect();
    return client.query(text).finally(() => client.end());
  };

  beforeAll(async () => {
    primary = await startPostgres();
    standby = await startPostgres({ standbyOf: primary });
  }, 120_000);
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });
  afterAll(async () => {
    await standby?.stop();
    await primary?.stop();
  });

  it.each(['off', 'local'])(
    'answers after the synchronous standby has the grant, if the role has synchronous_commit = %s',
    async (set) => {
      await (await open(primary)).init();
      await sql(primary, `ALTER ROLE postgres SET synchronous_commit = ${set}`);
      await sql(primary, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
      await sql(primary, 'SELECT pg_reload_conf()');
      const isSynchronous = async (): Promise<boolean> =>
        (await sql(primary, `SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`)).rowCount === 1;
      await expect.poll(isSynchronous, { timeout: 20_000 }).toBe(true);
      try {
        const name = `synchronous ${set}`;
        const store = await open(primary, 1_000);
        expect(await store.acquire([claimOf(name, 'a')])).toMatchObject([{ type: 'ok' }]);
        standby.pause();
        await expect(store.acquire([claimOf(`${name} unheard`, 'a')])).rejects.toMatchObject({
          kind: 'unreachable',
        });
        const { warnings } = await store.probe();
        expect(warnings).toContainEqual(expect.stringMatching(`synchronous_commit is ${set} for postgres`));
      } finally {
        standby.resume();
        await sql(primary, 'ALTER SYSTEM RESET synchronous_standby_names');
        await sql(primary, 'SELECT pg_reload_conf()');
        await sql(primary, 'ALTER ROLE postgres RESET synchronous_commit');
      }
    },
  );

  it('refuses the standby, for every read too', async () => {
    await (await open(primary)).init();
    const store = await open(standby);
    const calls = [
      () => store.acquire([claimOf('standby', 'a')]),
      () => store.read(['standby']),
      () => store.history('standby'),
      () => store.names(),
      () => store.candidates('standby'),
      () => store.ticks('standby'),
      () => store.time(),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({
        kind: 'busy',
        message: expect.stringMatching(/standby|read-only/),
      });
    }
    expect((await store.probe()).problems).toEqual([expect.stringMatching(/read-only standby.*primary/)]);
  });

  it('gives larger tokens after the failover to an asynchronous standby that missed grants', async () => {
    const before = await open(primary);
    const grant = async (store: PostgresLeaseStore, nonce: string): Promise<bigint> => {
      const token = await win(store, claimOf('failover', nonce));
      const release = { nonce, token, reason: 'released', successor: null, reserveMs: 0 } as const;
      await store.release([{ name: 'failover', ...release }]);
      return token;
    };
    await grant(before, 'a');
    const { rows } = await sql(primary, 'SELECT pg_current_wal_lsn() AS lsn');
    const hasCaughtUp = async (): Promise<boolean> =>
      (await sql(standby, `SELECT pg_last_wal_replay_lsn() >= '${rows[0].lsn}' AS ok`)).rows[0].ok;
    await expect.poll(hasCaughtUp, { timeout: 20_000 }).toBe(true);
    await standby.kill9();
    const forgotten = [await grant(before, 'b'), await grant(before, 'c')];
    await before.close();
    await primary.kill9();
    await standby.restart();
    await sql(standby, 'SELECT pg_promote()');
    const token = await grant(await open(standby), 'd');
    expect(forgotten.filter((each) => each >= token)).toEqual([]);
  });
});
