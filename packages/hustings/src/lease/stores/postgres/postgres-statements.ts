/** The statements of the store, by the rules of postgres-sql.ts. */
import { acquireStatement } from './postgres-acquire.ts';
import {
  CHANNEL,
  COMMIT_SETTING,
  columnsOf,
  list,
  lockedLeases,
  NOW_MS,
  recordOf,
  SETTINGS,
  timeLeft,
} from './postgres-sql.ts';
import type { PostgresTables } from './postgres-tables.ts';
import { type TickStatements, tickStatements } from './postgres-ticks.ts';

export interface PostgresStatements extends TickStatements {
  readonly acquire: string;
  /** For lists in which a request asks for fair order. */
  readonly acquireInOrder: string;
  readonly acquireAll: string;
  readonly renew: string;
  /** For lists in which a renewal carries an update. */
  readonly renewWithUpdates: string;
  readonly renewOne: string;
  readonly release: string;
  readonly read: string;
  readonly withdraw: string;
  readonly candidates: string;
  readonly evict: string;
  readonly requestTransfer: string;
  readonly history: string;
  readonly names: string;
  readonly time: string;
  readonly raiseToken: string;
  readonly idle: string;
  readonly prune: string;
}

const IS_HELD = 'nonce IS NOT NULL AND until_ms > now_ms';
/** Nobody used the lease for $2. Its latest write, if nobody holds it, is `until_ms - span_ms`. */
const IS_IDLE = `l.until_ms - l.span_ms + $2::bigint <= ${NOW_MS} AND l.until_ms <= ${NOW_MS} AND l.not_before_ms <= ${NOW_MS}
    AND l.checkpoint IS NULL AND ${SETTINGS} IS NOT NULL`;

export function postgresStatements(tables: PostgresTables): PostgresStatements {
  const { lease, term, candidate, tick, layout } = tables;
  return {
    ...tickStatements(tables),
    acquire: acquireStatement(tables),
    acquireInOrder: acquireStatement(tables, { isFair: true }),
    acquireAll: acquireStatement(tables, { isAll: true }),

    renew: renewStatement(tables, false),
    renewWithUpdates: renewStatement(tables, true),

    // The most frequent case: one renewal that succeeds, of a lease without a challenger. Returns no row in all other cases.
    // Parsed and planned in half the time: the text is short, and the rows are not joined. The subquery locks the row before
    // the clock is read. If the row has changed since the snapshot, the UPDATE does not see the version that was locked.
    renewOne: `UPDATE ${lease} SET version = version + 1, until_ms = ${NOW_MS} + $4::bigint, span_ms = $4::bigint
WHERE ctid = (
  SELECT ctid FROM ${lease} WHERE name = $1 AND nonce = $2 AND token = $3::bigint AND ${COMMIT_SETTING} IS NOT NULL
  FOR NO KEY UPDATE SKIP LOCKED
) AND until_ms > ${NOW_MS} AND NOT evicted AND challenger IS NULL
RETURNING transfer_to`,

    release: `WITH${list({
      c_name: 'text',
      c_nonce: 'text',
      c_token: 'bigint',
      c_reason: 'text',
      c_successor: 'text',
      c_reserve_ms: 'bigint',
      c_checkpoint: 'text',
    })},${lockedLeases(tables)},
decided AS MATERIALIZED (
  SELECT t.*, COALESCE(t.nonce = t.c_nonce, false) AND t.token = t.c_token AND t.until_ms > t.now_ms AS is_mine,
    CASE WHEN t.c_successor IS NULL THEN 0 ELSE t.c_reserve_ms END AS reserved_ms, greatest(t.start_ms, t.now_ms) AS end_ms
  FROM timed AS t
),
written AS (
  UPDATE ${lease} AS l SET version = l.version + 1, holder = NULL, nonce = NULL, ttl_ms = NULL, priority = NULL,
    process_proof = NULL, evicted = false, stand_back_ms = 0, start_ms = d.end_ms, transfer_to = NULL, successor = d.c_successor,
    until_ms = d.now_ms + d.reserved_ms, span_ms = d.reserved_ms, metadata = NULL, updates = 0,
    checkpoint = ${checkpointAfter('d.c_checkpoint', 'd.checkpoint')}
  FROM decided AS d WHERE l.name = d.c_name AND d.is_mine
),
ended AS (
  INSERT INTO ${term} (name, token, number, holder, nonce, start_ms, end_ms, cause, claimed_until_ms, metadata)
  SELECT name, token, terms, holder, nonce, start_ms, end_ms, c_reason, greatest(start_ms, until_ms), metadata FROM decided WHERE is_mine
  ON CONFLICT DO NOTHING
)
SELECT n, CASE WHEN NOT is_mine THEN 'lost' WHEN evicted THEN 'evicted' ELSE 'ok' END AS type, stand_back_ms,
  CASE WHEN is_mine THEN pg_notify('${CHANNEL}', c_name) END
FROM decided`,

    // A standby would answer too, with old data.
    read: `SELECT pg_is_in_recovery() AS is_standby, r.n, r.name, ${recordOf('r')}
FROM (
  SELECT l.*, ${timeLeft('l', 'l.now_ms')}
  FROM (
    SELECT c.n, ${columnsOf('l')}, ${NOW_MS} AS now_ms
    FROM unnest($1::text[]) WITH ORDINALITY AS c(c_name, n) LEFT JOIN ${lease} AS l ON l.name = c.c_name
  ) AS l
) AS r`,

    withdraw: `DELETE FROM ${candidate} WHERE (name, nonce) IN (
  SELECT w.name, w.nonce FROM ${candidate} AS w JOIN unnest($2::text[], $3::text[]) AS c(name, nonce)
    ON w.name = c.name AND w.nonce = c.nonce
  WHERE ${SETTINGS} IS NOT NULL FOR UPDATE OF w SKIP LOCKED
)`,

    candidates: `SELECT id, nonce, priority, now_ms - at_ms AS seen_ms
FROM (SELECT w.*, ${NOW_MS} AS now_ms FROM ${candidate} AS w WHERE name = $1) AS w WHERE until_ms > now_ms ORDER BY id, nonce`,

    evict: `WITH${list({ c_name: 'text', c_stand_back_ms: 'bigint' })},${lockedLeases(tables)},
decided AS MATERIALIZED (
  SELECT t.*, ${IS_HELD} AS is_held,
    COALESCE(c_stand_back_ms, CASE WHEN evicted THEN stand_back_ms ELSE ttl_ms END) AS stands_ms
  FROM timed AS t
),
written AS (
  UPDATE ${lease} AS l SET version = l.version + 1, evicted = true, stand_back_ms = d.stands_ms
  FROM decided AS d WHERE l.name = d.c_name AND d.is_held AND NOT (d.evicted AND d.stand_back_ms = d.stands_ms)
)
SELECT n, is_held, CASE WHEN is_held THEN pg_notify('${CHANNEL}', c_name) END FROM decided`,

    requestTransfer: `WITH${list({ c_name: 'text', c_to: 'text' })},${lockedLeases(tables)},
decided AS MATERIALIZED (
  SELECT j.*, CASE WHEN NOT (${IS_HELD}) THEN 'not-held' WHEN is_registered THEN 'requested' ELSE 'unknown-candidate' END AS answer
  FROM (
    SELECT t.*, EXISTS (
      SELECT FROM ${candidate} AS w WHERE w.name = t.c_name AND w.id = t.c_to AND w.until_ms > t.now_ms
    ) AS is_registered
    FROM timed AS t
  ) AS j
),
written AS (
  UPDATE ${lease} AS l SET transfer_to = d.c_to FROM decided AS d WHERE l.name = d.c_name AND d.answer = 'requested'
)
SELECT n, answer, CASE WHEN answer = 'requested' THEN pg_notify('${CHANNEL}', c_name) END FROM decided`,

    // An expired lease has ended, even if no other candidate has acquired it.
    history: `SELECT * FROM (
  SELECT name, token, holder, nonce, start_ms, end_ms, cause, claimed_until_ms, metadata
  FROM ${term} WHERE name = $1
  UNION ALL
  SELECT name, token, holder, nonce, start_ms, CASE WHEN until_ms <= now_ms THEN greatest(start_ms, until_ms) END,
    CASE WHEN until_ms > now_ms THEN NULL WHEN evicted THEN 'evicted' ELSE 'expired' END, greatest(start_ms, until_ms), metadata
  FROM (SELECT ${columnsOf('l')}, ${NOW_MS} AS now_ms FROM ${lease} AS l WHERE name = $1 AND nonce IS NOT NULL) AS running
) AS terms
WHERE $2::bigint IS NULL OR (start_ms <= $2 AND (end_ms IS NULL OR end_ms > $2))
ORDER BY token DESC, start_ms DESC LIMIT $3::bigint`,

    names: `SELECT name FROM ${lease} ORDER BY name`,

    time: `SELECT ${NOW_MS} AS now_ms`,

    raiseToken: `UPDATE ${layout} SET past_token = $2::bigint WHERE past_token < $2::bigint AND ${SETTINGS} IS NOT NULL`,

    idle: `SELECT l.name FROM ${lease} AS l WHERE ${IS_IDLE} ORDER BY l.name`,

    // $3 is the largest number of leases to delete.
    prune: `WITH idle AS MATERIALIZED (
  SELECT l.name, l.token FROM ${lease} AS l WHERE ${IS_IDLE}
  ORDER BY l.name LIMIT $3::bigint
  FOR UPDATE OF l SKIP LOCKED
),
past AS (
  UPDATE ${layout} SET past_token = p.token FROM (SELECT max(token) AS token FROM idle) AS p WHERE past_token < p.token
),
terms AS (DELETE FROM ${term} WHERE name IN (SELECT name FROM idle)),
ticks AS (DELETE FROM ${tick} WHERE name IN (SELECT name FROM idle)),
candidates AS (DELETE FROM ${candidate} WHERE name IN (SELECT name FROM idle))
DELETE FROM ${lease} WHERE name IN (SELECT name FROM idle) RETURNING name`,
  };
}

/** '' removes the checkpoint, and null leaves it. */
const checkpointAfter = (update: string, before: string): string =>
  `CASE WHEN ${update} IS NULL THEN ${before} ELSE nullif(${update}, '') END`;

/** The columns of an update are null in a renewal without one. */
const UPDATE = { c_update: 'bigint', c_metadata: 'text', c_checkpoint: 'text' };

/** An evicted candidate learns it also after its lease is over. */
function renewStatement(tables: PostgresTables, hasUpdates: boolean): string {
  const request = { c_name: 'text', c_nonce: 'text', c_token: 'bigint', c_ttl_ms: 'bigint' };
  const isNew = 'd.c_update > COALESCE(l.updates, 0)';
  const update = `, updates = CASE WHEN ${isNew} THEN d.c_update ELSE l.updates END,
    metadata = CASE WHEN ${isNew} THEN COALESCE(d.c_metadata, l.metadata) ELSE l.metadata END,
    checkpoint = CASE WHEN ${isNew} THEN ${checkpointAfter('d.c_checkpoint', 'l.checkpoint')} ELSE l.checkpoint END`;
  return `WITH${list({ ...request, ...(hasUpdates ? UPDATE : {}) })},${lockedLeases(tables)},
decided AS MATERIALIZED (
  SELECT j.*, CASE WHEN NOT is_term THEN 'lost' WHEN evicted THEN 'evicted' WHEN until_ms > now_ms THEN 'ok' ELSE 'lost' END AS type
  FROM (SELECT t.*, COALESCE(t.nonce = t.c_nonce, false) AND t.token = t.c_token AS is_term FROM timed AS t) AS j
),
written AS (
  UPDATE ${tables.lease} AS l SET version = l.version + 1, until_ms = d.now_ms + d.c_ttl_ms, span_ms = d.c_ttl_ms${hasUpdates ? update : ''}
  FROM decided AS d WHERE l.name = d.c_name AND d.type = 'ok'
)
SELECT n, type, stand_back_ms, transfer_to, CASE WHEN challenger_since_ms <= now_ms AND now_ms < challenger_until_ms THEN challenger END AS challenger,
  challenger_priority, now_ms - challenger_since_ms AS waited_ms
FROM decided`;
}
