/** The statements of a fence in each SQL database, and the connections that run them. */
import { InputError } from '@hustings/base';

/** The table, for PostgreSQL and SQLite. An administrator runs it once. */
export const FENCE_TABLE =
  'CREATE TABLE IF NOT EXISTS hustings_fence (name text PRIMARY KEY NOT NULL, token bigint NOT NULL)';

/** The table, for MySQL and MariaDB: names compare by their bytes, and the engine has transactions. */
export const MYSQL_FENCE_TABLE =
  'CREATE TABLE IF NOT EXISTS hustings_fence (name varbinary(200) PRIMARY KEY NOT NULL, token bigint NOT NULL) ENGINE=InnoDB';

/** One connection of `pg`. Not a pool, because a transaction needs a single connection. */
export interface PostgresConnection {
  /** Runs a statement. */
  query(
    text: string,
    params?: unknown[],
  ): Promise<{ readonly rows: readonly unknown[]; readonly command?: string }>;
}

/** One connection of `mysql2/promise`. Not a pool, because a transaction needs a single connection. */
export interface MysqlConnection {
  /** Runs a statement. */
  query(text: string, params?: unknown[]): Promise<readonly [result: unknown, ...rest: unknown[]]>;
  /** Runs a prepared statement. Not used: it tells this connection from one of `pg`. */
  execute(text: string, params?: never): Promise<unknown>;
}

/** A database of `node:sqlite`. */
export interface SqliteConnection {
  /** Compiles a statement. */
  prepare(text: string): {
    /** Runs the statement and returns its rows. */
    all(...params: string[]): readonly unknown[];
  };
}

/** A connection to PostgreSQL, SQLite, MySQL or MariaDB. */
export type SqlConnection = PostgresConnection | SqliteConnection | MysqlConnection;

export interface SqlAnswer {
  readonly rows: readonly unknown[];
  readonly command?: string;
}

export interface SqlDialect {
  readonly table: string;
  run(text: string, params: string[]): Promise<SqlAnswer>;
  /** Raises the mark, unless it is larger. Its row is locked until the commit. Returns the largest token as text. */
  raise(name: string, token: string): Promise<string>;
}

/** Returns a row if the token was accepted. As text, because client libraries may convert a bigint to a number. */
export function guardedUpsert(name: string, token: string): string {
  return (
    `INSERT INTO hustings_fence (name, token) VALUES (${name}, CAST(${token} AS bigint)) ` +
    'ON CONFLICT (name) DO UPDATE SET token = excluded.token WHERE hustings_fence.token <= excluded.token ' +
    'RETURNING CAST(token AS text) AS token'
  );
}

function upserting(run: SqlDialect['run'], name: string, token: string): SqlDialect {
  return {
    table: FENCE_TABLE,
    run,
    async raise(...values) {
      const { rows } = await run(guardedUpsert(name, token), values);
      if (rows.length > 0) return tokenIn(rows);
      const mark = `SELECT CAST(token AS text) AS token FROM hustings_fence WHERE name = ${name}`;
      return tokenIn((await run(mark, values.slice(0, 1))).rows);
    },
  };
}

const tokenIn = ([row]: readonly unknown[]): string => (row as { readonly token: string }).token;

/** Neither server returns the row that it wrote. The locking read sees its latest version, under every isolation level. */
function mysqlDialect(connection: MysqlConnection): SqlDialect {
  const run = async (text: string, params: readonly unknown[]): Promise<SqlAnswer> => {
    const [rows] = await connection.query(text, [...params]);
    return { rows: Array.isArray(rows) ? rows : [] };
  };
  return {
    table: MYSQL_FENCE_TABLE,
    run,
    async raise(name, token) {
      // Bytes, whatever character set the connection has.
      const bytes = Buffer.from(name);
      await run(
        'INSERT INTO hustings_fence (name, token) VALUES (?, ?) ' +
          'ON DUPLICATE KEY UPDATE token = GREATEST(hustings_fence.token, VALUES(token))',
        [bytes, token],
      );
      const mark = 'SELECT CAST(token AS char) AS token FROM hustings_fence WHERE name = ? FOR UPDATE';
      return tokenIn((await run(mark, [bytes])).rows);
    },
  };
}

/** `mayBePool`: the statements may run on several connections. */
export function dialectOf(connection: SqlConnection, mayBePool = false): SqlDialect {
  if ('prepare' in connection && !('query' in connection)) {
    return upserting(async (text, params) => ({ rows: connection.prepare(text).all(...params) }), '?', '?');
  }
  const client = connection as PostgresConnection | MysqlConnection;
  const { promise, getConnection } = client as { promise?: unknown; getConnection?: unknown };
  if (typeof promise === 'function') {
    throw new InputError('the connection must be one of mysql2/promise; pass connection.promise()');
  }
  const isPool = ('totalCount' in client && 'idleCount' in client) || typeof getConnection === 'function';
  if (isPool && !mayBePool) {
    const take = 'execute' in client ? 'pool.getConnection()' : 'pool.connect()';
    throw new InputError(
      `the connection must not be a pool; take one with await ${take}, and release it afterwards`,
    );
  }
  if ('execute' in client) return mysqlDialect(client);
  return upserting((text, params) => client.query(text, params), '$1', '$2');
}

/** PostgreSQL, MySQL and SQLite, in this order. */
export function isTableMissing(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return (
    code === '42P01' || code === 'ER_NO_SUCH_TABLE' || /no such table: hustings_fence/.test(String(message))
  );
}
