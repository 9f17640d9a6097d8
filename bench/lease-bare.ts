/**
 * What a renewal needs, made by hand with nothing but the client library: one compare-and-set by the server's clock. The
 * least that any lease on this store could do.
 */
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { loadSqlite } from '../src/lease/sqlite-library.ts';

export interface BareCalls {
  /** One renewal; false would be a lost lease. */
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
  const now = (): number => Number(process.hrtime.bigint() / 1_000_000n);
  database.prepare('INSERT INTO lease VALUES (?, ?, ?, ?)').run('x', 'n', 1, now() + TTL_MS);
  const begin = database.prepare('BEGIN IMMEDIATE');
  const update = database.prepare(
    'UPDATE lease SET until = ? WHERE name = ? AND nonce = ? AND token = ? AND until > ? RETURNING token',
  );
  const commit = database.prepare('COMMIT');
  return {
    async renew() {
      begin.run();
      const nowMs = now();
      const row = update.get(nowMs + TTL_MS, 'x', 'n', 1, nowMs);
      commit.run();
      return row !== undefined;
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
  const update = `UPDATE bare SET until = clock_timestamp() + $4 * interval '1 ms'
    WHERE name = $1 AND nonce = $2 AND token = $3 AND until > clock_timestamp() RETURNING token`;
  return {
    renew: async () => (await client.query(update, ['x', 'n', 1, TTL_MS])).rowCount === 1,
    async close() {
      await client.end();
    },
  };
}
