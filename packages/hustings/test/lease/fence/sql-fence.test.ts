import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../../test-kit/command.ts';
import { describeWith, startPostgres, type TestServer } from '../../../../../test-kit/servers/index.ts';
import { InputError } from '../../../../study/src/kernel/errors.ts';
import {
  createFenceTable,
  FENCE_TABLE,
  FenceError,
  FenceRejections,
  fenceClause,
  fencedTransaction,
  raiseFence,
} from '../../../src/lease/fence/index.ts';
import { loadSqlite, type SqliteDatabase } from '../../../src/lease/stores/sqlite-library.ts';
import { expectLaw, falls, race, type Sink, terms } from './fence-law.ts';
import { runWriter } from './writers.ts';

const MOST = 2n ** 63n - 1n;

describe('a fence in SQLite', () => {
  const folder = temporaryFolder();
  let files = 0;
  const open: SqliteDatabase[] = [];
  afterAll(() => {
    for (const each of open) each.close();
  });

  async function database(path = ':memory:'): Promise<SqliteDatabase> {
    const { DatabaseSync } = await loadSqlite();
    const made = new DatabaseSync(path);
    open.push(made);
    await createFenceTable(made);
    made.exec('CREATE TABLE log (at INTEGER PRIMARY KEY, token INTEGER)');
    return made;
  }
  const logOf = (made: SqliteDatabase): bigint[] =>
    made
      .prepare('SELECT CAST(token AS text) AS token FROM log ORDER BY at')
      .all()
      .map((row) => BigInt((row as { token: string }).token));
  const insert = (made: SqliteDatabase, token: bigint) =>
    made.prepare('INSERT INTO log (token) VALUES (?)').all(`${token}`);

  it('commits under the same or a newer token, and does not start the work under an older one', async () => {
    const made = await database();
    const rejections = new FenceRejections();
    for (const token of [2n, 2n, 2n ** 53n, 2n ** 53n + 1n, MOST]) {
      await fencedTransaction(made, { name: 'a', token }, () => insert(made, token));
    }
    for (const token of [1n, 2n ** 53n, MOST - 1n]) {
      const stale = fencedTransaction(made, { name: 'a', token, onRejected: rejections.count }, () =>
        insert(made, token),
      );
      await expect(stale).rejects.toThrow(`the token of "a" must be at least ${MOST}, not ${token}`);
    }
    expect(logOf(made)).toEqual([2n, 2n, 2n ** 53n, 2n ** 53n + 1n, MOST]);
    expect(rejections.byKind.stale).toBe(3);
    await fencedTransaction(made, { name: 'A', token: 1n }, () => insert(made, 1n));
  });

  it('rolls back what fails, and the mark with it', async () => {
    const made = await database();
    const failing = fencedTransaction(made, { name: 'a', token: 9n }, () => {
      insert(made, 9n);
      throw new Error('no such customer');
    });
    await expect(failing).rejects.toThrow('no such customer');
    await fencedTransaction(made, { name: 'a', token: 8n }, () => insert(made, 8n));
    expect(logOf(made)).toEqual([8n]);
  });

  it('names the statement that creates the missing table', async () => {
    const { DatabaseSync } = await loadSqlite();
    const made = new DatabaseSync(':memory:');
    open.push(made);
    await expect(raiseFence(made, { name: 'a', token: 1n })).rejects.toMatchObject({
      code: 'HUSTINGS_STORE_UNPREPARED',
      message: expect.stringContaining(FENCE_TABLE),
    });
  });

  it('keeps P4 between processes; without it the same race violates P4', async () => {
    const race = async (check: 'fenced' | 'none'): Promise<bigint[]> => {
      const path = join(folder.path, `${++files}.db`);
      const made = await database(path);
      made.exec('PRAGMA journal_mode = WAL');
      await Promise.all(
        [20, 25, 30].map((count) => runWriter({ kind: 'sqlite', path, terms: count, check })),
      );
      return logOf(made);
    };
    const fenced = await race('fenced');
    expect(fenced.length).toBeGreaterThan(30);
    expect(falls(fenced), fenced.join(' ')).toBe(false);
    expect(falls(await race('none'))).toBe(true);
  });
});

await describeWith('postgres', 'a fence in PostgreSQL', () => {
  let server: TestServer;
  let pool: pg.Pool;
  beforeAll(async () => {
    server = await startPostgres();
    pool = new pg.Pool({ connectionString: server.url, max: 6 });
    // Idle connections are told when the server stops.
    pool.on('error', () => undefined);
    await createFenceTable(pool);
    await pool.query('CREATE TABLE log (at bigserial PRIMARY KEY, name text, token bigint)');
  }, 60_000);
  afterAll(async () => {
    await pool?.end();
    await server?.stop();
  });

  const logOf = async (name: string): Promise<bigint[]> => {
    const { rows } = await pool.query('SELECT token FROM log WHERE name = $1 ORDER BY at', [name]);
    return rows.map(({ token }) => BigInt(token));
  };
  const insert = (client: pg.ClientBase | pg.Pool, name: string, token: bigint) =>
    client.query('INSERT INTO log (name, token) VALUES ($1, $2)', [name, String(token)]);

  async function connected<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    try {
      return await work(client);
    } finally {
      client.release();
    }
  }

  const sink = (name: string, isFenced: boolean): Sink => ({
    accepted: () => logOf(name),
    write: (token) =>
      isFenced
        ? connected((client) => fencedTransaction(client, { name, token }, () => insert(client, name, token)))
        : insert(pool, name, token),
  });

  it('keeps P4 for racing connections; without it the same race violates P4', async () => {
    expect(await expectLaw(sink('law', true), terms(6, 40, MOST - 60n))).toBeGreaterThan(0);
    const twin = sink('twin', false);
    await race(twin, terms(6, 40));
    expect(falls(await twin.accepted())).toBe(true);
  });

  it('refuses a stale write that waited for a newer one to commit', async () => {
    const name = 'waiting';
    let commit = (): void => {};
    let began = (): void => {};
    const begun = new Promise<void>((resolve) => {
      began = resolve;
    });
    const newer = connected((client) =>
      fencedTransaction(client, { name, token: 2n }, async () => {
        began();
        await new Promise<void>((resolve) => {
          commit = resolve;
        });
        await insert(client, name, 2n);
      }),
    );
    await begun;
    const stale = connected((client) =>
      fencedTransaction(client, { name, token: 1n }, () => insert(client, name, 1n)),
    );
    const refused = expect(stale).rejects.toMatchObject({ refusal: 'stale' });
    const waiting = "SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    await expect.poll(async () => (await pool.query(waiting)).rows[0].n, { timeout: 20_000 }).toBe(1);
    commit();
    await Promise.all([newer, refused]);
    expect(await logOf(name)).toEqual([2n]);
  });

  it('works as one statement, through a pool', async () => {
    const name = 'statement';
    const statement: Sink = {
      accepted: () => logOf(name),
      write: async (token) => {
        const { cte, guard, params } = fenceClause({ name, token }, { after: 2 });
        const text = `WITH ${cte} INSERT INTO log (name, token) SELECT $1, $2::bigint WHERE ${guard}`;
        const { rowCount } = await pool.query(text, [name, String(token), ...params]);
        if (rowCount === 0) throw new FenceError('stale', 'no row was written');
      },
    };
    expect(await expectLaw(statement, terms(6, 40))).toBeGreaterThan(0);
  });

  it('throws if nothing was committed because the work ignored an error', async () => {
    const name = 'swallowed';
    const swallowed = connected((client) =>
      fencedTransaction(client, { name, token: 1n }, async () => {
        await insert(client, name, 1n);
        await client.query('SELECT no_such_column').catch(() => {});
      }),
    );
    await expect(swallowed).rejects.toThrow('nothing was committed');
    expect(await logOf(name)).toEqual([]);
  });

  it('does not let two transactions share a connection', async () => {
    const name = 'shared';
    await connected(async (client) => {
      const write = (token: bigint) =>
        fencedTransaction(client, { name, token }, () => insert(client, name, token));
      const [first, second] = await Promise.allSettled([write(2n), write(1n)]);
      expect([first.status, second]).toEqual([
        'fulfilled',
        { status: 'rejected', reason: expect.any(InputError) },
      ]);
      await write(3n);
    });
    expect(await logOf(name)).toEqual([2n, 3n]);
  });

  it('has a table that many may create at the same time', async () => {
    await pool.query('DROP TABLE hustings_fence');
    await Promise.all(Array.from({ length: 6 }, () => createFenceTable(pool)));
    await connected((client) => raiseFence(client, { name: 'made', token: 1n }));
  });

  it('needs one connection, not a pool, and its table', async () => {
    const fence = { name: 'a', token: 1n };
    await expect(fencedTransaction(pool, fence, async () => {})).rejects.toThrow('must not be a pool');
    await pool.query('CREATE SCHEMA bare');
    const bare = connected(async (client) => {
      await client.query('BEGIN; SET LOCAL search_path TO bare');
      try {
        await raiseFence(client, fence);
      } finally {
        await client.query('ROLLBACK');
      }
    });
    await expect(bare).rejects.toMatchObject({ code: 'HUSTINGS_STORE_UNPREPARED' });
  });
});
