/**
 * Fences in an SQL database: the table `hustings_fence` has one row per election, which is checked and raised in the same
 * transaction as the write. Guaranteed: in the order of commits, the tokens never decrease (P4). The row is locked until the
 * commit, so writes of one election are serialized, and a stale write that waited for a newer one is refused. That holds under
 * READ COMMITTED. Under REPEATABLE READ and SERIALIZABLE the database reports a conflict instead, as for any row.
 *
 * Not guaranteed: anything for statements that bypass the fence.
 */
import { InputError } from '../../errors/hustings-error.ts';
import { StoreError } from '../core/store-error.ts';
import { checkFence, type Fence } from './fence.ts';
import { type RefusalOptions, reporting, staleError } from './fence-error.ts';

/** The table, for PostgreSQL and SQLite. An administrator runs it once. */
export const FENCE_TABLE =
  'CREATE TABLE IF NOT EXISTS hustings_fence (name text PRIMARY KEY NOT NULL, token bigint NOT NULL)';

/** Runs `FENCE_TABLE`, also on a pool. Idempotent: every start of a service may call it, also concurrently. */
export async function createFenceTable(connection: SqlConnection): Promise<void> {
  try {
    if ('prepare' in connection) connection.prepare(FENCE_TABLE).all();
    else await connection.query(FENCE_TABLE);
  } catch (error) {
    // If two sessions create the table at the same time, PostgreSQL reports a duplicate name to one of them.
    if (!['23505', '42P07'].includes(String((error as { code?: unknown }).code))) throw error;
  }
}

/** One connection of `pg`. Not a pool, because a transaction needs a single connection. */
export interface PostgresConnection {
  /** Runs a statement. */
  query(
    text: string,
    params?: unknown[],
  ): Promise<{ readonly rows: readonly unknown[]; readonly command?: string }>;
}

/** A database of `node:sqlite`. */
export interface SqliteConnection {
  /** Compiles a statement. */
  prepare(text: string): {
    /** Runs the statement and returns its rows. */
    all(...params: string[]): readonly unknown[];
  };
}

/** A connection to PostgreSQL or SQLite. */
export type SqlConnection = PostgresConnection | SqliteConnection;

/** Begins a transaction, checks and raises the fence, runs the work, and commits. */
export function fencedTransaction<C extends SqlConnection, T>(
  connection: C,
  fence: Fence & RefusalOptions,
  work: (connection: C) => T | Promise<T>,
): Promise<T> {
  return reporting(fence, async () => {
    checkFence(fence);
    const run = runner(connection);
    if (inUse.has(connection)) {
      throw new InputError('the connection is already in a transaction; use a separate connection for each');
    }
    inUse.add(connection);
    try {
      return await transact(run, async () => {
        await raise(run, placeholders(connection), fence);
        return work(connection);
      });
    } finally {
      inUse.delete(connection);
    }
  });
}

/** PostgreSQL only warns of a nested BEGIN: the ROLLBACK of one transaction would undo the fence of the other. */
const inUse = new WeakSet<object>();

async function transact<T>(run: Run, work: () => Promise<T>): Promise<T> {
  await run('BEGIN', []);
  try {
    const result = await work();
    const { command } = await run('COMMIT', []);
    // PostgreSQL answers ROLLBACK, without an error, if a statement had failed before.
    if (command === 'ROLLBACK') {
      throw new StoreError(
        'busy',
        'nothing was committed, because a statement of the transaction had failed; let the work throw its error',
      );
    }
    return result;
  } catch (error) {
    // The first error is the cause. An error of the ROLLBACK would hide it.
    await run('ROLLBACK', []).catch(() => {});
    throw error;
  }
}

/** Only checks and raises, in a transaction that the caller has begun. After a `FenceError` the caller rolls back. */
export function raiseFence(connection: SqlConnection, fence: Fence & RefusalOptions): Promise<void> {
  return reporting(fence, () => raise(runner(connection), placeholders(connection), fence));
}

/** The parts of a fenced statement. */
export interface FenceClause {
  /** For WITH: `fence AS (…)`. */
  readonly cte: string;
  /** A condition that is true if the fence accepted the token. */
  readonly guard: string;
  readonly params: readonly string[];
}

/**
 * PostgreSQL only: the parts of a single statement that checks, raises and writes, for poolers and autocommit:
 * `WITH ${cte} UPDATE … WHERE … AND ${guard}`, with its own parameters up to `after`, then `params`. If no row has changed, the
 * token is stale or no row matched. A statement that waited for a lock sees the current version of the rows that it changes,
 * and all other rows as of its start.
 */
export function fenceClause(fence: Fence, { after }: { readonly after: number }): FenceClause {
  const { name, token } = checkFence(fence);
  if (!Number.isInteger(after) || after < 0)
    throw new InputError(`after must be the number of parameters, not ${after}`);
  const cte = `fence AS (${guardedUpsert([`$${after + 1}`, `$${after + 2}`])})`;
  return { cte, guard: 'EXISTS (SELECT 1 FROM fence)', params: [name, String(token)] };
}

interface Answer {
  readonly rows: readonly unknown[];
  readonly command?: string;
}

type Run = (text: string, params: string[]) => Promise<Answer>;
type Placeholders = readonly [name: string, token: string];

// Returns a row if the token was accepted. As text, because client libraries may convert a bigint to a number.
function guardedUpsert([name, token]: Placeholders): string {
  return (
    `INSERT INTO hustings_fence (name, token) VALUES (${name}, CAST(${token} AS bigint)) ` +
    'ON CONFLICT (name) DO UPDATE SET token = excluded.token WHERE hustings_fence.token <= excluded.token ' +
    'RETURNING CAST(token AS text) AS token'
  );
}

async function raise(run: Run, placeholders: Placeholders, fence: Fence): Promise<void> {
  const { name, token } = checkFence(fence);
  try {
    if ((await run(guardedUpsert(placeholders), [name, String(token)])).rows.length > 0) return;
    const mark = `SELECT CAST(token AS text) AS token FROM hustings_fence WHERE name = ${placeholders[0]}`;
    const [row] = (await run(mark, [name])).rows as { readonly token: string }[];
    throw staleError(name, token, row.token);
  } catch (error) {
    throw isTableMissing(error)
      ? new StoreError('unprepared', `the table of fences is missing; run ${FENCE_TABLE}`, error)
      : error;
  }
}

function isTableMissing(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === '42P01' || /no such table: hustings_fence/.test(String(message));
}

function placeholders(connection: SqlConnection): Placeholders {
  return 'prepare' in connection ? ['?', '?'] : ['$1', '$2'];
}

function runner(connection: SqlConnection): Run {
  if ('prepare' in connection)
    return async (text, params) => ({ rows: connection.prepare(text).all(...params) });
  if ('totalCount' in connection && 'idleCount' in connection) {
    throw new InputError(
      'the connection must not be a pool; take one with await pool.connect(), and release it afterwards',
    );
  }
  return (text, params) => connection.query(text, params);
}
