/** The statement that acquires leases and registers the candidates that have to wait. */
import {
  columnsOf,
  list,
  lockedLeases,
  NOW_MS,
  NOW_US,
  nextToken,
  recordOf,
  timeLeft,
} from './postgres-sql.ts';
import type { PostgresTables } from './postgres-tables.ts';

const REQUEST = {
  c_name: 'text',
  c_id: 'text',
  c_nonce: 'text',
  c_ttl_ms: 'bigint',
  c_priority: 'double precision',
  c_process_proof: 'text',
  c_gone: 'text',
  c_stale: 'bigint',
  c_hold_ms: 'bigint',
  c_register_ms: 'bigint',
  c_metadata: 'text',
};

/** A challenger writes only if less than half of its time is left: each write takes the lock that the holder needs to renew. */
const isNoted = (row: string): string =>
  `${row}.challenger = ${row}.c_id AND ${row}.challenger_priority = ${row}.c_priority
    AND ${row}.challenger_until_ms - ${row}.now_ms BETWEEN ${row}.c_ttl_ms / 2 AND ${row}.c_ttl_ms`;

/** An earlier version of hustings writes no place. */
const placeOf = (row: string): string => `COALESCE(${row}.place, ${row}.at_ms * 1000)`;

/** The id of the candidate whose turn it is, by the rules of core/queue.ts; null if it is that of the request. */
const firstAhead = ({ candidate }: PostgresTables): string => `(
    SELECT w.id FROM ${candidate} AS w
      LEFT JOIN ${candidate} AS own ON own.name = j.c_name AND own.nonce = j.c_nonce AND own.at_ms <= j.now_ms AND j.now_ms < own.until_ms
    WHERE w.name = j.c_name AND w.nonce <> j.c_nonce AND w.at_ms <= j.now_ms AND j.now_ms < w.until_ms AND (w.priority > j.c_priority
      OR (w.priority = j.c_priority AND (own.nonce IS NULL OR (${placeOf('w')}, w.nonce) < (${placeOf('own')}, own.nonce))))
    ORDER BY w.priority DESC, ${placeOf('w')}, w.nonce LIMIT 1
  )`;

const orderedBy = (tables: PostgresTables): string => `ordered AS MATERIALIZED (
  SELECT g.*, g.is_open AND g.ahead IS NULL AS is_grantable
  FROM (
    SELECT j.*, CASE WHEN j.c_fair AND j.is_open AND (j.is_over OR j.nonce IS NOT NULL) THEN ${firstAhead(tables)} END AS ahead
    FROM judged AS j OFFSET 0
  ) AS g
),
`;

const NEW = '(SELECT count(*) FROM seen WHERE seen.name IS NULL)';

const AGREED = `agreed AS MATERIALIZED (
  SELECT (SELECT count(*) FROM judged WHERE is_grantable OR is_mine) + ${NEW} = (SELECT count(*) FROM requests) AS yes
),
`;

const WHOLE = `,
whole AS MATERIALIZED (
  SELECT 1 / CASE WHEN a.yes AND (SELECT count(*) FROM made) < ${NEW} THEN 0 ELSE 1 END AS ok FROM agreed AS a
)`;

/**
 * A request for a lease that another candidate clearly holds is answered from the snapshot, without a lock on the lease. It
 * writes only its registration, and only if less than half of the registration is left. `isFair`: a request of the list asks for
 * fair order; the text is parsed and planned each time, so others do without it. The last parameter is the number of
 * terms to keep: at most ten old ones are deleted at a time.
 *
 * `isAll`: all requests are granted, or none (`agreed`). If another session inserts one of the leases meanwhile, `whole` divides
 * by zero: nothing is written, and the list is repeated.
 */
export function acquireStatement(tables: PostgresTables, { isFair = false, isAll = false } = {}): string {
  const { lease, term, candidate } = tables;
  const columns = isFair ? { ...REQUEST, c_fair: 'boolean' } : REQUEST;
  const request = [...Object.keys(columns), 'n'];
  const keep = `$${request.length + 1}::bigint`;
  const notMade = `UNION ALL
SELECT s.n, false, NULL, NULL, ${recordOf('s')}
FROM (SELECT s.*, NULL::bigint AS lease_left_ms, NULL::bigint AS hold_left_ms FROM seen AS s) AS s
WHERE s.name IS NULL AND NOT (SELECT yes FROM agreed)`;
  const isAgreed = isAll ? ' AND (SELECT yes FROM agreed)' : '';
  return `WITH${list(columns)},
seen AS MATERIALIZED (
  SELECT r.*, r.now_ms < r.until_ms AND r.c_stale IS DISTINCT FROM r.version AND CASE
      WHEN r.nonce IS NULL THEN r.successor <> r.c_id
      ELSE r.nonce <> r.c_nonce AND r.nonce IS DISTINCT FROM r.c_gone AND (r.c_priority <= r.priority OR ${isNoted('r')})
    END AS is_plain
  FROM (
    SELECT c.*, ${columnsOf('l')}
    FROM (SELECT requests.*, ${NOW_MS} AS now_ms FROM requests) AS c LEFT JOIN ${lease} AS l ON l.name = c.c_name
    OFFSET 0
  ) AS r
),${lockedLeases(tables, `(SELECT ${request.join(', ')} FROM seen WHERE is_plain IS NOT TRUE)`)},
judged AS MATERIALIZED (
  SELECT o.*, COALESCE(o.nonce = o.c_nonce, false) AND NOT o.is_over AND NOT o.evicted AS is_mine,
    (o.is_over OR COALESCE(CASE WHEN o.nonce IS NULL THEN o.successor = o.c_id ELSE o.nonce = o.c_gone END, false))
      AND COALESCE(o.hold_left_ms = 0, o.version = o.c_stale, false) AS is_${isFair ? 'open' : 'grantable'},
    COALESCE(o.challenger_since_ms <= o.now_ms AND o.now_ms < o.challenger_until_ms, false) AS has_challenger
  FROM (
    SELECT l.*, COALESCE(l.lease_left_ms = 0, l.version = l.c_stale, false) AS is_over
    FROM (SELECT t.*, ${timeLeft('t', 't.now_ms')} FROM timed AS t OFFSET 0) AS l
    OFFSET 0
  ) AS o
),
${isFair ? orderedBy(tables) : ''}${isAll ? AGREED : ''}decided AS MATERIALIZED (
  SELECT j.*, is_grantable AND NOT is_mine${isAgreed} AS is_free, (is_grantable OR is_mine)${isAgreed} AS ok,
    CASE WHEN is_grantable AND NOT is_mine THEN ${nextToken(tables, 'j.token')} ELSE j.token END AS granted,
    NOT is_grantable AND NOT is_mine AND nonce IS NOT NULL AND c_priority > priority
      AND (NOT has_challenger OR challenger = c_id OR challenger_priority < c_priority) AND (${isNoted('j')}) IS NOT TRUE AS is_challenger
  FROM ${isFair ? 'ordered' : 'judged'} AS j
),
written AS (
  UPDATE ${lease} AS l SET
    token = d.granted,
    version = CASE WHEN d.ok THEN d.version + 1 ELSE d.version END,
    terms = CASE WHEN d.is_free THEN d.terms + 1 ELSE d.terms END,
    holder = CASE WHEN d.is_free THEN d.c_id ELSE d.holder END,
    nonce = CASE WHEN d.is_free THEN d.c_nonce ELSE d.nonce END,
    ttl_ms = CASE WHEN d.is_free THEN d.c_ttl_ms ELSE d.ttl_ms END,
    priority = CASE WHEN d.is_free THEN d.c_priority ELSE d.priority END,
    process_proof = CASE WHEN d.is_free THEN d.c_process_proof ELSE d.process_proof END,
    evicted = d.evicted AND NOT d.is_free,
    stand_back_ms = CASE WHEN d.is_free THEN 0 ELSE d.stand_back_ms END,
    start_ms = CASE WHEN d.is_free THEN greatest(d.now_ms, d.start_ms) ELSE d.start_ms END,
    until_ms = CASE WHEN d.ok THEN d.now_ms + d.c_ttl_ms ELSE d.until_ms END,
    span_ms = CASE WHEN d.ok THEN d.c_ttl_ms ELSE d.span_ms END,
    not_before_ms = CASE WHEN d.is_free THEN d.now_ms + d.c_hold_ms ELSE d.not_before_ms END,
    hold_ms = CASE WHEN d.is_free THEN d.c_hold_ms ELSE d.hold_ms END,
    successor = CASE WHEN d.is_free THEN NULL ELSE d.successor END,
    transfer_to = CASE WHEN d.is_free THEN NULL ELSE d.transfer_to END,
    metadata = CASE WHEN d.is_free THEN d.c_metadata ELSE d.metadata END,
    updates = CASE WHEN d.is_free THEN 0 ELSE l.updates END,
    challenger = CASE WHEN d.is_challenger THEN d.c_id WHEN d.is_free AND d.challenger = d.c_id THEN NULL ELSE d.challenger END,
    challenger_priority = CASE WHEN d.is_challenger THEN d.c_priority ELSE d.challenger_priority END,
    challenger_since_ms = CASE WHEN d.is_challenger AND NOT (d.has_challenger AND d.challenger = d.c_id) THEN d.now_ms ELSE d.challenger_since_ms END,
    challenger_until_ms = CASE WHEN d.is_challenger THEN d.now_ms + d.c_ttl_ms WHEN d.is_free AND d.challenger = d.c_id THEN NULL
      ELSE d.challenger_until_ms END
  FROM decided AS d
  WHERE l.name = d.c_name AND (d.ok OR d.is_challenger)
),
made AS (
  INSERT INTO ${lease} (name, token, version, terms, holder, nonce, ttl_ms, priority, process_proof, start_ms, until_ms, span_ms,
    not_before_ms, hold_ms, metadata)
  SELECT a.c_name, ${nextToken(tables, '0')}, 1, 1, a.c_id, a.c_nonce, a.c_ttl_ms, a.c_priority, a.c_process_proof, a.at_ms,
    a.at_ms + a.c_ttl_ms, a.c_ttl_ms, a.at_ms + a.c_hold_ms, a.c_hold_ms, a.c_metadata
  FROM (
    SELECT seen.*, ${NOW_MS} AS at_ms FROM seen
    WHERE seen.name IS NULL AND (SELECT count(*) FROM locked) >= 0${isAgreed}
    ORDER BY seen.c_name COLLATE "C" OFFSET 0
  ) AS a
  ON CONFLICT (name) DO NOTHING
  RETURNING name, token
),
ended AS (
  INSERT INTO ${term} (name, token, number, holder, nonce, start_ms, end_ms, cause, claimed_until_ms, metadata)
  SELECT name, token, terms, holder, nonce, start_ms, greatest(start_ms, CASE WHEN is_over THEN least(until_ms, now_ms) ELSE now_ms END),
    CASE WHEN evicted THEN 'evicted' WHEN is_over THEN 'expired' ELSE 'gone' END, greatest(start_ms, until_ms), metadata
  FROM decided WHERE is_free AND nonce IS NOT NULL
  ON CONFLICT DO NOTHING
),
trimmed AS (
  DELETE FROM ${term} AS t USING decided AS d, LATERAL (
    SELECT o.token, o.start_ms, o.number FROM ${term} AS o WHERE o.name = d.c_name ORDER BY o.token LIMIT 10
  ) AS old
  WHERE d.is_free AND old.number <= d.terms + 1 - ${keep}
    AND t.name = d.c_name AND t.token = old.token AND t.start_ms = old.start_ms
),
waiting AS MATERIALIZED (
  SELECT h.*
  FROM (
    SELECT c_name, c_id, c_nonce, c_priority, c_register_ms, now_ms FROM seen WHERE is_plain
    UNION ALL
    SELECT c_name, c_id, c_nonce, c_priority, c_register_ms, now_ms FROM decided WHERE NOT ok
  ) AS h LEFT JOIN ${candidate} AS w ON w.name = h.c_name AND w.nonce = h.c_nonce
  WHERE h.c_register_ms > 0 AND (w.until_ms - h.now_ms BETWEEN h.c_register_ms / 2 AND h.c_register_ms
    AND w.priority = h.c_priority) IS NOT TRUE
),
registered AS (
  INSERT INTO ${candidate} AS w (name, nonce, id, priority, at_ms, until_ms, place)
  SELECT c_name, c_nonce, c_id, c_priority, now_ms, now_ms + c_register_ms, ${NOW_US} FROM waiting ORDER BY c_name
  ON CONFLICT (name, nonce) DO UPDATE SET id = EXCLUDED.id, priority = EXCLUDED.priority,
    at_ms = EXCLUDED.at_ms, until_ms = EXCLUDED.until_ms,
    place = CASE WHEN w.until_ms > EXCLUDED.at_ms THEN ${placeOf('w')} ELSE EXCLUDED.place END
),
forgotten AS (
  DELETE FROM ${candidate} AS w USING (
    SELECT e.name, e.nonce
    FROM ${candidate} AS e JOIN (
      SELECT c_name, c_nonce, now_ms, true AS is_granted FROM decided WHERE is_free
      UNION ALL
      SELECT c_name, c_nonce, now_ms, false FROM waiting
    ) AS o ON e.name = o.c_name
    WHERE CASE WHEN e.nonce = o.c_nonce THEN o.is_granted ELSE e.until_ms <= o.now_ms END
    FOR UPDATE OF e SKIP LOCKED
  ) AS old
  WHERE w.name = old.name AND w.nonce = old.nonce
)${isAll ? WHOLE : ''}
SELECT d.n, d.ok, d.granted, ${isFair ? 'd.ahead' : 'NULL AS ahead'}, ${recordOf('d')} FROM decided AS d${isAll ? ' WHERE (SELECT ok FROM whole) = 1' : ''}
UNION ALL
SELECT s.n, false, NULL, NULL, ${recordOf('s')} FROM (SELECT s.*, ${timeLeft('s', 's.now_ms')} FROM seen AS s WHERE s.is_plain) AS s
UNION ALL
SELECT s.n, true, made.token, NULL, ${recordOf('s')}
FROM (SELECT s.*, NULL::bigint AS lease_left_ms, NULL::bigint AS hold_left_ms FROM seen AS s) AS s JOIN made ON made.name = s.c_name${
    isAll
      ? ` WHERE (SELECT ok FROM whole) = 1
${notMade}`
      : ''
  }`;
}

/** Whether `whole` has divided by zero: another session has inserted one of the leases. */
export function wasInserted(error: unknown): boolean {
  const { cause } = error as { cause?: { readonly code?: string } };
  return cause?.code === '22012';
}
