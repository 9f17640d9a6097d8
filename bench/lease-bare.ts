/**
 * A renewal written by hand with only the client library: one compare-and-set on the server's clock, the least that is
 * correct on each store. The bench compares the stores with it.
 */
import { join } from 'node:path';
import { loadSqlite } from 'hustings/internal/lease/stores/sqlite-library';
import { Redis } from 'ioredis';
import mysql from 'mysql2/promise';
import pg from 'pg';

export interface BareCalls {
  /** One renewal; false if the lease is lost. */
  renew(): Promise<boolean>;
  close(): Promise<void>;
}

const TTL_MS = 60_000;

export async function bareSqlite(folder: string): Promise<BareCalls> {
  const { DatabaseSync } = await loadSqlite();
  const database = new DatabaseSync(join(folder, 'bare.db'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec(
    'CREATE TABLE lease (name TEXT PRIMARY KEY, nonce TEXT, token INTEGER, until INTEGER) WITHOUT ROWID',
  );
  // In microseconds: SQLite writes nothing if a row does not change, and a real renewal always changes the expiry.
  const now = (): number => Number(process.hrtime.bigint() / 1_000n);
  database.prepare('INSERT INTO lease VALUES (?, ?, ?, ?)').run('x', 'n', 1, now() + TTL_MS * 1000);
  const begin = database.prepare('BEGIN IMMEDIATE');
  const update = database.prepare(
    'UPDATE lease SET until = ? WHERE name = ? AND nonce = ? AND token = ? AND until > ?',
  );
  const commit = database.prepare('COMMIT');
  return {
    async renew() {
      begin.run();
      const nowMicros = now();
      const { changes } = update.run(nowMicros + TTL_MS * 1000, 'x', 'n', 1, nowMicros) as {
        changes: number;
      };
      commit.run();
      return Number(changes) === 1;
    },
    async close() {
      database.close();
    },
  };
}

export async function bareRedis(url: string): Promise<BareCalls> {
  const redis = new Redis(url);
  const script = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0`;
  const sha = (await redis.script('LOAD', script)) as string;
  await redis.set('bare', 'n', 'PX', TTL_MS);
  return {
    renew: async () => (await redis.evalsha(sha, 1, 'bare', 'n', TTL_MS)) === 1,
    async close() {
      await redis.quit();
    },
  };
}

export async function barePostgres(url: string): Promise<BareCalls> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(
    'CREATE TABLE bare (name text PRIMARY KEY, nonce text, token bigint, until timestamptz NOT NULL)',
  );
  await client.query(`INSERT INTO bare VALUES ('x', 'n', 1, clock_timestamp() + interval '60 s')`);
  // The clock is read after the row was locked: a plain UPDATE that waited for the lock would use an older time, and could
  // renew an expired lease.
  const update = `UPDATE bare AS b SET until = d.now + $4 * interval '1 ms'
    FROM (SELECT k.*, clock_timestamp() AS now FROM (
      SELECT * FROM bare WHERE name = $1 AND nonce = $2 AND token = $3 FOR NO KEY UPDATE
    ) AS k OFFSET 0) AS d
    WHERE b.name = $1 AND d.until > d.now RETURNING b.token`;
  return {
    renew: async () => (await client.query(update, ['x', 'n', 1, TTL_MS])).rowCount === 1,
    async close() {
      await client.end();
    },
  };
}

export async function bareMysql(url: string): Promise<BareCalls> {
  const connection = await mysql.createConnection(url);
  await connection.query(
    'CREATE TABLE bare (name VARBINARY(255) PRIMARY KEY, nonce VARBINARY(255), token BIGINT, until_us BIGINT) ENGINE=InnoDB',
  );
  // In microseconds: InnoDB writes nothing if a row does not change, and a real renewal always changes its row.
  const now = 'CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED)';
  await connection.query(`INSERT INTO bare VALUES ('x', 'n', 1, ${now} + ${TTL_MS * 1_000})`);
  const update = `UPDATE bare SET until_us = ${now} + ? WHERE name = ? AND nonce = ? AND token = ? AND until_us > ${now}`;
  return {
    async renew() {
      const [result] = await connection.query(update, [TTL_MS * 1_000, 'x', 'n', 1]);
      return (result as { affectedRows: number }).affectedRows === 1;
    },
    close: () => connection.end(),
  };
}
