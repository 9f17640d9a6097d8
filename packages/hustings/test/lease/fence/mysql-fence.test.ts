import { createConnection, createPool as createPlainPool } from 'mysql2';
import mysql from 'mysql2/promise';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith, startMariadb, type TestServer } from '../../../../../test-kit/servers/index.ts';
import {
  createFenceTable,
  fencedTransaction,
  MYSQL_FENCE_TABLE,
  raiseFence,
} from '../../../src/lease/fence/index.ts';
import { expectLaw, falls, race, type Sink, terms } from './fence-law.ts';

const MOST = 2n ** 63n - 1n;

await describeWith('mariadbd', 'a fence in MySQL and MariaDB', () => {
  let server: TestServer;
  let pool: mysql.Pool;
  beforeAll(async () => {
    server = await startMariadb();
    pool = mysql.createPool({ uri: server.url, connectionLimit: 6 });
    await createFenceTable(pool);
    await pool.query('CREATE TABLE log (at bigint AUTO_INCREMENT PRIMARY KEY, name text, token bigint)');
  }, 60_000);
  afterAll(async () => {
    await pool?.end();
    await server?.stop();
  });

  const logOf = async (name: string): Promise<bigint[]> => {
    const statement = 'SELECT CAST(token AS char) AS token FROM log WHERE name = ? ORDER BY at';
    const [rows] = await pool.query(statement, [name]);
    return (rows as { token: string }[]).map(({ token }) => BigInt(token));
  };
  const insert = (client: mysql.Connection | mysql.Pool, name: string, token: bigint) =>
    client.query('INSERT INTO log (name, token) VALUES (?, ?)', [name, `${token}`]);

  async function connected<T>(
    work: (client: mysql.PoolConnection) => Promise<T>,
    isolation = 'REPEATABLE READ',
  ): Promise<T> {
    const client = await pool.getConnection();
    try {
      await client.query(`SET SESSION TRANSACTION ISOLATION LEVEL ${isolation}`);
      return await work(client);
    } finally {
      client.release();
    }
  }

  const write = (name: string, token: bigint, isolation?: string) =>
    connected(
      (client) => fencedTransaction(client, { name, token }, () => insert(client, name, token)),
      isolation,
    );

  it('keeps P4 for racing connections; without it the same race violates P4', async () => {
    const fenced: Sink = { accepted: () => logOf('law'), write: (token) => write('law', token) };
    expect(await expectLaw(fenced, terms(6, 40, MOST - 60n))).toBeGreaterThan(0);
    const twin: Sink = { accepted: () => logOf('twin'), write: (token) => insert(pool, 'twin', token) };
    await race(twin, terms(6, 40));
    expect(falls(await twin.accepted())).toBe(true);
  });

  it.each(['READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE'])(
    'refuses a stale write that waited for a newer one to commit, under %s',
    async (isolation) => {
      const name = `waiting ${isolation}`;
      // The row exists, so that the stale write waits for the row and not for an insert.
      await write(name, 1n);
      let commit = (): void => {};
      let began = (): void => {};
      const begun = new Promise<void>((resolve) => {
        began = resolve;
      });
      const newer = connected((client) =>
        fencedTransaction(client, { name, token: 3n }, async () => {
          began();
          await new Promise<void>((resolve) => {
            commit = resolve;
          });
          await insert(client, name, 3n);
        }),
      );
      await begun;
      const stale = expect(write(name, 2n, isolation)).rejects.toMatchObject({ refusal: 'stale' });
      const waits = "SELECT COUNT(*) AS n FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'";
      const root = await mysql.createConnection({ host: '127.0.0.1', port: server.port, user: 'root' });
      const waiting = async (): Promise<number> => ((await root.query(waits))[0] as { n: number }[])[0].n;
      // The server refreshes this table only if nobody has read it for 100 ms.
      await expect.poll(waiting, { timeout: 20_000, interval: 250 }).toBe(1);
      await root.end();
      commit();
      await Promise.all([newer, stale]);
      expect(await logOf(name)).toEqual([1n, 3n]);
    },
  );

  it('rolls back what fails, and the mark with it', async () => {
    const failing = connected((client) =>
      fencedTransaction(client, { name: 'failing', token: 9n }, async () => {
        await insert(client, 'failing', 9n);
        throw new Error('no such customer');
      }),
    );
    await expect(failing).rejects.toThrow('no such customer');
    await write('failing', 8n);
    expect(await logOf('failing')).toEqual([8n]);
  });

  it('keeps names apart that differ in case, in spaces or in accents, on any character set', async () => {
    await write('Job', 9n);
    for (const name of ['job', 'Job ', 'Jöb']) await write(name, 1n);
    const latin = await mysql.createConnection({ uri: server.url, charset: 'latin1' });
    await expect(fencedTransaction(latin, { name: 'Jöb', token: 1n }, () => {})).resolves.toBeUndefined();
    await write('Jöb', 5n);
    await expect(raiseFence(latin, { name: 'Jöb', token: 4n })).rejects.toMatchObject({ refusal: 'stale' });
    await latin.end();
  });

  it('needs one connection of mysql2/promise, and its table', async () => {
    const fence = { name: 'a', token: 1n };
    await expect(fencedTransaction(pool, fence, async () => {})).rejects.toThrow(
      'must not be a pool; take one with await pool.getConnection()',
    );
    const plain = createConnection(server.url);
    await expect(raiseFence(plain as never, fence)).rejects.toThrow('pass connection.promise()');
    await new Promise<void>((resolve) => plain.end(() => resolve()));
    const plainPool = createPlainPool(server.url);
    await expect(raiseFence(plainPool as never, fence)).rejects.toThrow('pass connection.promise()');
    await new Promise<void>((resolve) => plainPool.end(() => resolve()));
    await pool.query('DROP TABLE hustings_fence');
    await expect(connected((client) => raiseFence(client, fence))).rejects.toMatchObject({
      code: 'HUSTINGS_STORE_UNPREPARED',
      message: expect.stringContaining(MYSQL_FENCE_TABLE),
    });
    await Promise.all(Array.from({ length: 6 }, () => createFenceTable(pool)));
    await connected((client) => raiseFence(client, fence));
  });
});
