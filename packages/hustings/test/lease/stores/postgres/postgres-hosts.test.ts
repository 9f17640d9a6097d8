/** A URL that lists a primary and its synchronous standby: the election survives the loss of the primary. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  describeWith,
  freePort,
  startPostgres,
  type TestServer,
} from '../../../../../../test-kit/servers/index.ts';
import { PostgresLeaseStore } from '../../../../src/lease/stores/postgres/postgres-lease-store.ts';
import { eventually } from '../../contract/single-call.ts';
import { duringCampaign, staleLines } from '../leading.ts';
import { claimOf, win } from './requests.ts';

const TTL_MS = 2_000;

await describeWith('postgres', 'PostgreSQL on several hosts', () => {
  let primary: TestServer;
  let standby: TestServer;
  let url: string;
  const opened: PostgresLeaseStore[] = [];
  const open = async (source = url, timeoutMs = 20_000): Promise<PostgresLeaseStore> => {
    const store = await PostgresLeaseStore.open(source, { timeoutMs });
    opened.push(store);
    return store;
  };
  const sql = async (server: TestServer, text: string): Promise<pg.QueryResult> => {
    const client = new pg.Client(server.url);
    await client.connect();
    return client.query(text).finally(() => client.end());
  };
  const listed = (...ports: number[]): string =>
    `postgres://postgres@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/postgres`;

  beforeAll(async () => {
    primary = await startPostgres();
    standby = await startPostgres({ standbyOf: primary });
    // The standby comes first: it must be recognized as read-only.
    url = listed(standby.port, primary.port);
    await sql(primary, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await sql(primary, 'SELECT pg_reload_conf()');
    const isSynchronous = async (): Promise<true | undefined> =>
      (await sql(primary, `SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`)).rowCount === 1 ||
      undefined;
    await eventually(isSynchronous, 'the standby is synchronous');
  }, 120_000);
  afterAll(async () => {
    for (const store of opened) await store.close();
    await standby?.stop();
    await primary?.stop();
  });

  it('uses the first one that accepts writes, past hosts that do not answer and standbys', async () => {
    const dead = await freePort();
    const store = await open(listed(dead, standby.port, primary.port));
    expect(store.label).toBe(
      `postgres://127.0.0.1:${dead},127.0.0.1:${standby.port},127.0.0.1:${primary.port}/postgres`,
    );
    await win(store, claimOf('several hosts', 'a'));
    let notifications = 0;
    store.watch('several hosts', () => notifications++);
    await expect.poll(() => store.isPushing(), { timeout: 20_000 }).toBe(true);
    expect((await store.probe()).problems).toEqual([]);
  });

  it('says that none of them accepts writes, or that none answers', async () => {
    const dead = await freePort();
    await expect((await open(listed(dead, standby.port))).read(['job'])).rejects.toMatchObject({
      kind: 'busy',
      message: expect.stringContaining('1 of 2 are read-only'),
    });
    await expect((await open(listed(dead, dead))).read(['job'])).rejects.toMatchObject({
      kind: 'unreachable',
    });
  });

  it('continues an election through the loss of the primary: nothing is granted twice, and tokens rise', async () => {
    const held = await win(await open(), claimOf('held by nobody else', 'a', { ttlMs: 600_000 }));
    const stores = await Promise.all([open(), open(), open()]);
    const lines = await duringCampaign(stores, TTL_MS, async ({ writes }) => {
      await writes();
      await primary.kill9();
      await sql(standby, 'SELECT pg_promote()');
      await writes();
    });
    expect(staleLines(lines)).toEqual([]);
    const store = await open();
    expect(await store.acquire([claimOf('held by nobody else', 'b')])).toMatchObject([
      { type: 'held', record: { token: held, holder: { id: 'a' } } },
    ]);
  });
});
