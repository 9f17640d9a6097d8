/**
 * Fences in an SQL database: one row an election in the table `hustings_fence`, which is checked and raised in the transaction of the
 * write itself. Guaranteed: in the order of commits the tokens never fall (P4). The row is locked until the commit, so that writes of one
 * election go one after the other, and a stale write that waited for a newer one is refused when it wakes; that holds under
 * READ COMMITTED. Under REPEATABLE READ and SERIALIZABLE the database reports a conflict instead, as for any row.
 *
 * Not guaranteed: anything for statements that do not go through the fence.
 */
import { InputError } from '../../errors/hustings-error.ts';
import { StoreError } from '../store-error.ts';
import { checkFence, type Fence } from './fence.ts';
import { type RefusalOptions, reporting, staleError } from './fence-error.ts';

/** The same for PostgreSQL and SQLite. Needs to be run once, by somebody with the right to. */
export const FENCE_TABLE =
  'CREATE TABLE IF NOT EXISTS hustings_fence (name text PRIMARY KEY NOT NULL, token bigint NOT NULL)';

/** Runs `FENCE_TABLE`; a pool will do. May be called by many at once, whenever a service starts. */
export async function createFenceTable(connection: SqlConnection): Promise<void> {
  try {
    if ('prepare' in connection) connection.prepare(FENCE_TABLE).all();
    else await connection.query(FENCE_TABLE);
  } catch (error) {
    // Of two that found no table, PostgreSQL lets one make it, and tells the other that its name is taken.
    if (!['23505', '42P07'].includes(String((error as { code?: unknown }).code))) throw error;
  }
}

/** One connection of `pg`. Not a pool: a transaction stays on one connection. */
export interface PostgresConnection {
  query(
    text: string,
    params?: unknown[],
  ): Promise<{ readonly rows: readonly unknown[]; readonly command?: string }>;
}

/** A database of `node:sqlite`. */
export interface SqliteConnection {
  prepare(text: string): { all(...params: string[]): readonly unknown[] };
}

export type SqlConnection = PostgresConnection | SqliteConnection;

/** Makes the check-and-raise the first statement of a transaction, then does the work in it, then commits. */
export function fencedTransaction<C extends SqlConnection, T>(
  connection: C,
  fence: Fence & RefusalOptions,
  work: (connection: C) => T | Promise<T>,
): Promise<T> {
  return reporting(fence, async () => {
    checkFence(fence);
    const run = runner(connection);
    if (inUse.has(connection)) {
      throw new InputError(
        'expected a connection of its own for each transaction, got one that is in another now',
      );
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

/** PostgreSQL only warns of a BEGIN in a transaction: the ROLLBACK of one would take the fence from the other. */
const inUse = new WeakSet<object>();

async function transact<T>(run: Run, work: () => Promise<T>): Promise<T> {
  await run('BEGIN', []);
  try {
    const result = await work();
    const { command } = await run('COMMIT', []);
    // PostgreSQL's answer, which is no error, if a statement failed and the work went on.
    if (command === 'ROLLBACK') {
      throw new StoreError(
        'busy',
        'nothing was committed: a statement in the transaction failed, and the work went on',
      );
    }
    return result;
  } catch (error) {
    // The first error says what happened; one of a connection that broke meanwhile would hide it.
    await run('ROLLBACK', []).catch(() => {});
    throw error;
  }
}

/** The check-and-raise alone, inside a transaction that the caller has begun. After a `FenceError` it is for the caller to roll back. */
export function raiseFence(connection: SqlConnection, fence: Fence & RefusalOptions): Promise<void> {
  return reporting(fence, () => raise(runner(connection), placeholders(connection), fence));
}

export interface FenceClause {
  /** A part of WITH: `fence AS (…)`. */
  readonly cte: string;
  /** A condition, true if the fence let the token through. */
  readonly guard: string;
  readonly params: readonly string[];
}

/**
 * PostgreSQL only: the parts of one statement that checks, raises and writes, for poolers and autocommit:
 * `WITH ${cte} UPDATE … WHERE … AND ${guard}`, its own parameters up to `after`, then `params`. No row changed: the token is stale,
 * or no row was meant. A statement that had to wait for another sees the rows that it changes as they are then, and all others as
 * they were when it began.
 */
export function fenceClause(fence: Fence, { after }: { readonly after: number }): FenceClause {
  const { name, token } = checkFence(fence);
  if (!Number.isInteger(after) || after < 0)
    throw new InputError(`expected after as a count of parameters, got ${after}`);
  const cte = `fence AS (${guardedUpsert([`$${after + 1}`, `$${after + 2}`])})`;
  return { cte, guard: 'EXISTS (SELECT 1 FROM fence)', params: [name, String(token)] };
}

interface Answer {
  readonly rows: readonly unknown[];
  readonly command?: string;
}

type Run = (text: string, params: string[]) => Promise<Answer>;
type Placeholders = readonly [name: string, token: string];

// Answers with a row if the token was let through. As text, since drivers make numbers of what is a bigint.
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
      ? new StoreError('unprepared', `the table of fences is missing: run ${FENCE_TABLE}`, error)
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
      'expected one connection, got a pool: take one with await pool.connect(), and release it after',
    );
  }
  return (text, params) => connection.query(text, params);
}
