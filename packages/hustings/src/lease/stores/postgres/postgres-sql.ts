/**
 * The rules of core/lease-row.ts in SQL. Each request is one statement over a list and leaves nothing in the session, so a
 * pooler may run each on another connection. They need READ COMMITTED, the default. Under a stricter level a race ends in a
 * serialization failure, which does no harm.
 *
 * The rules of every writing statement:
 * 1. A row is judged only under its lock. `locked` returns the latest version of the row, however old the snapshot of the
 *    statement is. The UPDATE joins it by name only and so finds that version.
 * 2. The clock is read after the lock was acquired: `timed` reads it for each row of `locked`. Read before, a request could
 *    take a lease that was renewed in the meantime.
 * 3. No statement waits for the lock of a row: SKIP LOCKED, so that a forgotten transaction stops no other election. A skipped
 *    row gives no answer, and the store asks again.
 * 4. New rows are inserted after all locks, in the order of their names: two lists never deadlock. A wait for an insert of
 *    another session is bounded: lock_timeout is set for this transaction only, before the first lock.
 * 5. The write is on the server's disk, and on a synchronous standby if there is one, before it is answered:
 *    synchronous_commit = off or local becomes `on` for this transaction.
 *
 * The names of a list must differ, because a statement does not see its own writes. An answer that is missing from an acquire
 * means that the row is locked, or that another session inserted it in the meantime: the request is repeated. An answer that
 * is missing from another statement means that the row is locked or does not exist.
 */
import type { PostgresTables } from './postgres-tables.ts';

export const CHANNEL = 'hustings_lease';
export const NOTIFY = 'SELECT pg_notify($1, $2)';

/** As a double: exact enough for milliseconds, and faster than a numeric. */
export const NOW_MS = `floor(date_part('epoch', clock_timestamp()) * 1000)::bigint`;
export const NOW_US = 'floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint';

/** The columns of the lease that this version knows. A later version may add others. */
const COLUMNS = [
  ...['name', 'token', 'version', 'terms', 'holder', 'nonce', 'ttl_ms', 'priority', 'process_proof'],
  ...['evicted', 'stand_back_ms', 'start_ms', 'until_ms', 'span_ms', 'not_before_ms', 'hold_ms'],
  ...['successor', 'transfer_to', 'tick_ms', 'tick_token', 'tick_running'],
  ...['challenger', 'challenger_priority', 'challenger_since_ms', 'challenger_until_ms'],
  ...['metadata', 'checkpoint'],
];
export const columnsOf = (row: string): string => COLUMNS.map((column) => `${row}.${column}`).join(', ');

/** Never null, and part of a condition, so that it is set. */
export const COMMIT_SETTING = `set_config('synchronous_commit',
    regexp_replace(current_setting('synchronous_commit'), '^(off|local)$', 'on'), true)`;

/** Never null, and part of a condition, so that both are set before a row is read. */
export const SETTINGS = `set_config('lock_timeout', $1::text, true) || ${COMMIT_SETTING}`;

/** A list of requests: a column for each parameter from $2 on. $1 is the longest wait for a lock. */
export const list = (columns: Readonly<Record<string, string>>): string => `
requests AS MATERIALIZED (
  SELECT c.*
  FROM (SELECT ${SETTINGS} AS was) AS s,
    unnest(${Object.values(columns)
      .map((type, index) => `$${index + 2}::${type}[]`)
      .join(', ')}) WITH ORDINALITY AS c(${Object.keys(columns).join(', ')}, n)
  WHERE s.was IS NOT NULL
)`;

/** `locked`: the leases of the requests. `timed`: the same, with the time after they were locked. */
export const lockedLeases = ({ lease }: PostgresTables, requests = 'requests'): string => `
locked AS MATERIALIZED (
  SELECT c.*, ${columnsOf('l')}
  FROM ${requests} AS c JOIN ${lease} AS l ON l.name = c.c_name
  ORDER BY l.name
  FOR NO KEY UPDATE OF l SKIP LOCKED
),
timed AS MATERIALIZED (SELECT k.*, ${NOW_MS} AS now_ms FROM locked AS k)`;

/**
 * The time left of the lease, and of the time for which its holder asked that nobody else gets it. Null if the clock was set
 * back: more is left than was granted.
 */
export const timeLeft = (row: string, nowMs: string): string => `
  CASE WHEN ${row}.span_ms = 0 THEN 0 WHEN ${row}.until_ms - ${nowMs} <= ${row}.span_ms
    THEN greatest(0, ${row}.until_ms - ${nowMs}) END AS lease_left_ms,
  CASE WHEN ${row}.hold_ms = 0 THEN 0 WHEN ${row}.not_before_ms - ${nowMs} <= ${row}.hold_ms
    THEN greatest(0, ${row}.not_before_ms - ${nowMs}) END AS hold_left_ms`;

/** For `recordFrom`, with `timeLeft`. */
export const recordOf = (row: string): string => `
  ${row}.token, ${row}.version, ${row}.holder, ${row}.nonce, ${row}.ttl_ms, ${row}.priority, ${row}.process_proof,
  ${row}.evicted, ${row}.successor, ${row}.span_ms, ${row}.hold_ms, ${row}.lease_left_ms, ${row}.hold_left_ms,
  ${row}.metadata, ${row}.checkpoint`;

/** Greater than the previous one, than all tokens that the store has forgotten on purpose, and not behind the clock. */
export const nextToken = ({ layout }: PostgresTables, previous: string): string =>
  `greatest(${previous} + 1, (SELECT max(past_token) FROM ${layout}) + 1, ${NOW_US})`;
