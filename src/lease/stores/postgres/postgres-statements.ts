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

const NOW_MS = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** Never null, and part of a condition, so that both are set before a row is read. */
const SETTINGS = `set_config('lock_timeout', $1::text, true) || set_config('synchronous_commit',
    regexp_replace(current_setting('synchronous_commit'), '^(off|local)$', 'on'), true)`;

/** $1 is the longest wait for a lock. */
const list = (name: string, columns: Readonly<Record<string, string>>): string => `
${name} AS MATERIALIZED (
  SELECT c.*
  FROM (SELECT ${SETTINGS} AS was) AS s,
    unnest(${Object.values(columns)
      .map((type, index) => `$${index + 2}::${type}[]`)
      .join(', ')}) WITH ORDINALITY AS c(${Object.keys(columns).join(', ')}, n)
  WHERE s.was IS NOT NULL
)`;

const record = (row: string, nowMs: string): string => `
  ${row}.token, ${row}.version, ${row}.holder, ${row}.nonce, ${row}.ttl_ms, ${row}.priority,
  ${row}.process_proof, ${row}.evicted, ${row}.successor, greatest(0, ${row}.until_ms - ${nowMs}) AS remaining_ms`;

export interface PostgresStatements {
  readonly acquire: string;
  readonly renew: string;
  readonly renewOne: string;
  readonly release: string;
  readonly read: string;
  readonly evict: string;
  readonly requestTransfer: string;
  readonly history: string;
  readonly names: string;
}

export function postgresStatements(tables: PostgresTables): PostgresStatements {
  const { lease, term } = tables;
  const locked = (from: string, where = 'true'): string => `
locked AS MATERIALIZED (
  SELECT c.*, l.*
  FROM ${from} AS c JOIN ${lease} AS l ON l.name = c.c_name
  WHERE ${where}
  ORDER BY l.name
  FOR NO KEY UPDATE OF l SKIP LOCKED
),
timed AS MATERIALIZED (SELECT k.*, ${NOW_MS} AS now_ms FROM locked AS k)`;

  return {
    // A request for a lease that another candidate clearly holds is answered from the snapshot, without a lock or a write.
    acquire: `WITH${list('requests', {
      c_name: 'text',
      c_id: 'text',
      c_nonce: 'text',
      c_ttl_ms: 'bigint',
      c_priority: 'double precision',
      c_process_proof: 'text',
      c_gone: 'text',
    })},
seen AS MATERIALIZED (
  SELECT c.*, l.*, c.seen_ms < l.until_ms AND CASE
      WHEN l.nonce IS NULL THEN l.successor <> c.c_id
      ELSE l.nonce <> c.c_nonce AND l.nonce IS DISTINCT FROM c.c_gone AND c.c_priority <= l.priority
    END AS is_plain
  FROM (SELECT requests.*, ${NOW_MS} AS seen_ms FROM requests) AS c LEFT JOIN ${lease} AS l ON l.name = c.c_name
),${locked(
      '(SELECT n, c_name, c_id, c_nonce, c_ttl_ms, c_priority, c_process_proof, c_gone, is_plain FROM seen)',
      'c.is_plain IS NOT TRUE',
    )},
judged AS MATERIALIZED (
  SELECT t.*, t.until_ms <= t.now_ms AS is_over,
    t.nonce IS NOT NULL AND t.nonce = t.c_nonce AND t.until_ms > t.now_ms AND NOT t.evicted AS is_mine,
    t.until_ms <= t.now_ms OR CASE
      WHEN t.nonce IS NULL THEN t.successor IS NULL OR t.successor = t.c_id
      ELSE COALESCE(t.nonce = t.c_gone, false)
    END AS may_pass,
    COALESCE(t.challenger_until_ms > t.now_ms, false) AS has_challenger
  FROM timed AS t
),
decided AS MATERIALIZED (
  SELECT j.*, may_pass AND NOT is_mine AS is_free,
    NOT is_mine AND NOT may_pass AND nonce IS NOT NULL AND c_priority > priority
      AND (NOT has_challenger OR challenger = c_id OR challenger_priority < c_priority) AS is_challenger
  FROM judged AS j
),
written AS (
  UPDATE ${lease} AS l SET
    token = CASE WHEN d.is_free THEN d.token + 1 ELSE d.token END,
    version = CASE WHEN d.is_free OR d.is_mine THEN d.version + 1 ELSE d.version END,
    holder = CASE WHEN d.is_free THEN d.c_id ELSE d.holder END,
    nonce = CASE WHEN d.is_free THEN d.c_nonce ELSE d.nonce END,
    ttl_ms = CASE WHEN d.is_free THEN d.c_ttl_ms ELSE d.ttl_ms END,
    priority = CASE WHEN d.is_free THEN d.c_priority ELSE d.priority END,
    process_proof = CASE WHEN d.is_free THEN d.c_process_proof ELSE d.process_proof END,
    evicted = d.evicted AND NOT d.is_free,
    start_ms = CASE
      WHEN NOT d.is_free THEN d.start_ms
      WHEN d.nonce IS NULL AND d.successor IS NULL THEN greatest(d.now_ms, d.until_ms)
      ELSE d.now_ms END,
    until_ms = CASE WHEN d.is_free OR d.is_mine THEN d.now_ms + d.c_ttl_ms ELSE d.until_ms END,
    successor = CASE WHEN d.is_free THEN NULL ELSE d.successor END,
    transfer_to = CASE WHEN d.is_free THEN NULL ELSE d.transfer_to END,
    challenger = CASE WHEN d.is_challenger THEN d.c_id WHEN d.is_free AND d.challenger = d.c_id THEN NULL ELSE d.challenger END,
    challenger_priority = CASE WHEN d.is_challenger THEN d.c_priority ELSE d.challenger_priority END,
    challenger_since_ms = CASE WHEN d.is_challenger AND NOT (d.has_challenger AND d.challenger = d.c_id) THEN d.now_ms ELSE d.challenger_since_ms END,
    challenger_until_ms = CASE WHEN d.is_challenger THEN d.now_ms + d.c_ttl_ms WHEN d.is_free AND d.challenger = d.c_id THEN NULL
      ELSE d.challenger_until_ms END
  FROM decided AS d
  WHERE l.name = d.c_name AND (d.is_free OR d.is_mine OR d.is_challenger)
),
made AS (
  INSERT INTO ${lease} (name, token, version, holder, nonce, ttl_ms, priority, process_proof, start_ms, until_ms)
  SELECT a.c_name, 1, 1, a.c_id, a.c_nonce, a.c_ttl_ms, a.c_priority, a.c_process_proof, a.now_ms, a.now_ms + a.c_ttl_ms
  FROM (
    SELECT seen.*, ${NOW_MS} AS now_ms FROM seen
    WHERE seen.name IS NULL AND (SELECT count(*) FROM locked) >= 0
    ORDER BY seen.c_name COLLATE "C" OFFSET 0
  ) AS a
  ON CONFLICT (name) DO NOTHING
  RETURNING name
),
ended AS (
  INSERT INTO ${term} (name, token, holder, nonce, start_ms, end_ms, cause, claimed_until_ms)
  SELECT name, token, holder, nonce, start_ms, greatest(start_ms, CASE WHEN is_over THEN until_ms ELSE now_ms END),
    CASE WHEN evicted THEN 'evicted' WHEN is_over THEN 'expired' ELSE 'gone' END, until_ms
  FROM decided WHERE is_free AND nonce IS NOT NULL
  ON CONFLICT DO NOTHING
),
trimmed AS (
  DELETE FROM ${term} AS t USING decided AS d
  WHERE d.is_free AND t.name = d.c_name AND t.token <= d.token + 1 - $9::bigint
)
SELECT d.n, d.is_free OR d.is_mine AS ok, CASE WHEN d.is_free THEN d.token + 1 ELSE d.token END AS granted,
  ${record('d', 'd.now_ms')}
FROM decided AS d
UNION ALL
SELECT s.n, false, NULL, ${record('s', 's.seen_ms')} FROM seen AS s WHERE s.is_plain
UNION ALL
SELECT s.n, true, 1, ${record('s', 's.seen_ms')} FROM seen AS s JOIN made ON made.name = s.c_name`,

    renew: `WITH${list('renewals', {
      c_name: 'text',
      c_nonce: 'text',
      c_token: 'bigint',
      c_ttl_ms: 'bigint',
    })},${locked('renewals')},
decided AS MATERIALIZED (
  SELECT t.*, COALESCE(t.nonce = t.c_nonce, false) AND t.token = t.c_token AND t.until_ms > t.now_ms AS is_mine,
    COALESCE(t.challenger_until_ms > t.now_ms, false) AS has_challenger
  FROM timed AS t
),
written AS (
  UPDATE ${lease} AS l SET version = l.version + 1, until_ms = d.now_ms + d.c_ttl_ms
  FROM decided AS d WHERE l.name = d.c_name AND d.is_mine AND NOT d.evicted
)
SELECT n, CASE WHEN NOT is_mine THEN 'lost' WHEN evicted THEN 'evicted' ELSE 'ok' END AS type, transfer_to,
  CASE WHEN has_challenger THEN challenger END AS challenger, challenger_priority, now_ms - challenger_since_ms AS waited_ms
FROM decided`,

    // The most frequent case, one renewal that succeeds, is planned in half the time. Returns no row in all other cases.
    renewOne: `UPDATE ${lease} AS l SET version = l.version + 1, until_ms = d.now_ms + $5::bigint
FROM (
  SELECT k.*, ${NOW_MS} AS now_ms
  FROM (
    SELECT until_ms, evicted, transfer_to, challenger, challenger_priority, challenger_since_ms, challenger_until_ms FROM ${lease}
    WHERE name = $2 AND nonce = $3 AND token = $4::bigint AND ${SETTINGS} IS NOT NULL
    FOR NO KEY UPDATE SKIP LOCKED
  ) AS k OFFSET 0
) AS d
WHERE l.name = $2 AND d.until_ms > d.now_ms AND NOT d.evicted
RETURNING 1 AS n, 'ok' AS type, d.transfer_to, CASE WHEN d.challenger_until_ms > d.now_ms THEN d.challenger END AS challenger,
  d.challenger_priority, d.now_ms - d.challenger_since_ms AS waited_ms`,

    release: `WITH${list('releases', {
      c_name: 'text',
      c_nonce: 'text',
      c_token: 'bigint',
      c_reason: 'text',
      c_successor: 'text',
      c_reserve_ms: 'bigint',
    })},${locked('releases')},
decided AS MATERIALIZED (
  SELECT t.*, COALESCE(t.nonce = t.c_nonce, false) AND t.token = t.c_token AND t.until_ms > t.now_ms AS is_mine FROM timed AS t
),
written AS (
  UPDATE ${lease} AS l SET version = l.version + 1, holder = NULL, nonce = NULL, ttl_ms = NULL, priority = NULL,
    process_proof = NULL, evicted = false, start_ms = NULL, transfer_to = NULL, successor = d.c_successor,
    until_ms = CASE WHEN d.c_successor IS NULL THEN d.now_ms ELSE d.now_ms + d.c_reserve_ms END
  FROM decided AS d WHERE l.name = d.c_name AND d.is_mine
),
ended AS (
  INSERT INTO ${term} (name, token, holder, nonce, start_ms, end_ms, cause, claimed_until_ms)
  SELECT name, token, holder, nonce, start_ms, greatest(start_ms, now_ms), c_reason, until_ms FROM decided
  WHERE is_mine ON CONFLICT DO NOTHING
)
SELECT n, is_mine, CASE WHEN is_mine THEN pg_notify('${CHANNEL}', c_name) END FROM decided`,

    // A standby would answer too, with old data.
    read: `SELECT pg_is_in_recovery() AS is_standby, r.*, ${record('r', 'r.now_ms')}
FROM (
  SELECT c.n, l.*, ${NOW_MS} AS now_ms
  FROM unnest($1::text[]) WITH ORDINALITY AS c(c_name, n) LEFT JOIN ${lease} AS l ON l.name = c.c_name
) AS r`,

    evict: `WITH${list('requests', { c_name: 'text' })},${locked('requests')},
decided AS MATERIALIZED (SELECT *, nonce IS NOT NULL AND until_ms > now_ms AS is_held FROM timed),
written AS (
  UPDATE ${lease} AS l SET version = l.version + 1, evicted = true
  FROM decided AS d WHERE l.name = d.c_name AND d.is_held AND NOT d.evicted
)
SELECT n, is_held, CASE WHEN is_held THEN pg_notify('${CHANNEL}', c_name) END FROM decided`,

    requestTransfer: `WITH${list('requests', { c_name: 'text', c_to: 'text' })},${locked('requests')},
decided AS MATERIALIZED (SELECT *, nonce IS NOT NULL AND until_ms > now_ms AS is_held FROM timed),
written AS (
  UPDATE ${lease} AS l SET transfer_to = d.c_to FROM decided AS d WHERE l.name = d.c_name AND d.is_held
)
SELECT n, is_held, CASE WHEN is_held THEN pg_notify('${CHANNEL}', c_name) END FROM decided`,

    // An expired lease has ended, even if no other candidate has acquired it.
    history: `SELECT * FROM (
  SELECT name, token, holder, nonce, start_ms, end_ms, cause, claimed_until_ms
  FROM ${term} WHERE name = $1
  UNION ALL
  SELECT name, token, holder, nonce, start_ms, CASE WHEN until_ms <= now_ms THEN until_ms END,
    CASE WHEN until_ms > now_ms THEN NULL WHEN evicted THEN 'evicted' ELSE 'expired' END, until_ms
  FROM (SELECT l.*, ${NOW_MS} AS now_ms FROM ${lease} AS l WHERE name = $1 AND nonce IS NOT NULL) AS running
) AS terms
WHERE $2::bigint IS NULL OR (start_ms <= $2 AND (end_ms IS NULL OR end_ms > $2))
ORDER BY token DESC, start_ms DESC LIMIT $3::bigint`,

    names: `SELECT name FROM ${lease} ORDER BY name`,
  };
}
