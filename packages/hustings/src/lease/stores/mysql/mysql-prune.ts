/** Deletes elections that nobody uses. */
import type { MysqlCalls } from './mysql-calls.ts';
import type { MysqlRow } from './mysql-client.ts';
import { listOf, literal, NOW_MS } from './mysql-sql.ts';

const IS_OVER = `until_ms <= ${NOW_MS} AND not_before_ms <= ${NOW_MS}`;

/** How many elections a transaction deletes: its time is limited. */
const AT_ONCE = 1_000;

export async function listIdle(calls: MysqlCalls, idleMs: number): Promise<readonly string[]> {
  const [{ rows }] = await calls.run([idleStatement(idleMs)]);
  return rows.map(({ name }) => name!);
}

/** Returns the names of the deleted elections. */
export async function prune(calls: MysqlCalls, idleMs: number): Promise<readonly string[]> {
  const names: string[] = [];
  for (;;) {
    const [{ rows: idle }] = await calls.run([idleStatement(idleMs, AT_ONCE)]);
    if (idle.length === 0) return names;
    const results = await calls.run(pruneStatements(idle));
    const left = new Set(results.at(-2)!.rows.map(({ name }) => name));
    const deleted = idle.filter(({ name }) => !left.has(name)).map(({ name }) => name!);
    // The others are locked, or in use again.
    if (deleted.length === 0) return names;
    names.push(...deleted);
  }
}

/** Nobody used these elections for the time. The latest write of a lease that nobody holds is `until_ms - span_ms`. */
const idleStatement = (idleMs: number, most?: number): string =>
  `SELECT name, stamp FROM hustings_lease
  WHERE until_ms - span_ms + ${literal(Math.ceil(idleMs))} <= ${NOW_MS} AND checkpoint IS NULL AND ${IS_OVER}
  ORDER BY name ${most === undefined ? '' : `LIMIT ${most}`}`;

/**
 * `idle` are rows of `idleStatement`. The result before the last one has the elections that are left, because they were used
 * again or are locked. The layout is locked first: a lease that is inserted afterwards gets a larger token than the deleted one.
 */
function pruneStatements(idle: readonly MysqlRow[]): readonly string[] {
  const names = listOf(idle.map(({ name }) => name));
  const rows = idle.map(({ name, stamp }) => `(${listOf([name, BigInt(stamp!)])})`).join(', ');
  const orphans = (table: string): string =>
    `DELETE o FROM ${table} AS o LEFT JOIN hustings_lease AS l ON l.name = o.name WHERE o.name IN (${names}) AND l.name IS NULL`;
  return [
    'START TRANSACTION',
    'SELECT past_token FROM hustings_layout FOR UPDATE',
    `UPDATE hustings_layout AS y JOIN (
    SELECT MAX(l.token) AS token FROM hustings_lease AS l WHERE l.name IN (${names})
  ) AS past SET y.past_token = past.token WHERE y.past_token < past.token`,
    `DELETE l FROM (
    SELECT k.name FROM hustings_lease AS k WHERE k.name IN (${names}) AND (k.name, k.stamp) IN (${rows}) AND ${IS_OVER}
    ORDER BY k.name LIMIT ${idle.length} FOR UPDATE SKIP LOCKED
  ) AS locked STRAIGHT_JOIN hustings_lease AS l ON l.name = locked.name`,
    ...['hustings_term', 'hustings_tick', 'hustings_candidate'].map(orphans),
    `SELECT name FROM hustings_lease WHERE name IN (${names})`,
    'COMMIT',
  ];
}
