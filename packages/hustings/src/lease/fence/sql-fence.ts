/**
 * Fences in an SQL database: the table `hustings_fence` has one row per election, which is checked and raised in the same
 * transaction as the write. Guaranteed: in the order of commits, the tokens never decrease (P4). The row is locked until the
 * commit, so writes of one election are serialized, and a stale write that waited for a newer one is refused. In PostgreSQL that
 * holds under READ COMMITTED; under REPEATABLE READ and SERIALIZABLE it reports a conflict instead, as for any row. In MySQL and
 * MariaDB it holds under every isolation level.
 *
 * Not guaranteed: anything for statements that bypass the fence.
 */
import { InputError } from '@hustings/base';
import { StoreError } from '../core/store-error.ts';
import { checkFence, type Fence } from './fence.ts';
import { type RefusalOptions, reporting, staleError } from './fence-error.ts';
import {
  dialectOf,
  guardedUpsert,
  isTableMissing,
  type SqlConnection,
  type SqlDialect,
} from './sql-dialect.ts';

export {
  FENCE_TABLE,
  MYSQL_FENCE_TABLE,
  type MysqlConnection,
  type PostgresConnection,
  type SqlConnection,
  type SqliteConnection,
} from './sql-dialect.ts';

/** Creates the table, also on a pool. Idempotent: every start of a service may call it, also concurrently. */
export async function createFenceTable(connection: SqlConnection): Promise<void> {
  const { run, table } = dialectOf(connection, true);
  try {
    await run(table, []);
  } catch (error) {
    // If two sessions create the table at the same time, PostgreSQL reports a duplicate name to one of them.
    if (!['23505', '42P07'].includes(String((error as { code?: unknown }).code))) throw error;
  }
}

/** Begins a transaction, checks and raises the fence, runs the work, and commits. */
export function fencedTransaction<C extends SqlConnection, T>(
  connection: C,
  fence: Fence & RefusalOptions,
  work: (connection: C) => T | Promise<T>,
): Promise<T> {
  return reporting(fence, async () => {
    checkFence(fence);
    const dialect = dialectOf(connection);
    if (inUse.has(connection)) {
      throw new InputError('the connection is already in a transaction; use a separate connection for each');
    }
    inUse.add(connection);
    try {
      return await transact(dialect.run, async () => {
        await raise(dialect, fence);
        return work(connection);
      });
    } finally {
      inUse.delete(connection);
    }
  });
}

/** PostgreSQL only warns of a nested BEGIN: the ROLLBACK of one transaction would undo the fence of the other. */
const inUse = new WeakSet<object>();

async function transact<T>(run: SqlDialect['run'], work: () => Promise<T>): Promise<T> {
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
  return reporting(fence, () => raise(dialectOf(connection), fence));
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
  const cte = `fence AS (${guardedUpsert(`$${after + 1}`, `$${after + 2}`)})`;
  return { cte, guard: 'EXISTS (SELECT 1 FROM fence)', params: [name, String(token)] };
}

async function raise(dialect: SqlDialect, fence: Fence): Promise<void> {
  const { name, token } = checkFence(fence);
  let largest: string;
  try {
    largest = await dialect.raise(name, String(token));
  } catch (error) {
    throw isTableMissing(error)
      ? new StoreError('unprepared', `the table of fences is missing; run ${dialect.table}`, error)
      : error;
  }
  if (BigInt(largest) > token) throw staleError(name, token, largest);
}
