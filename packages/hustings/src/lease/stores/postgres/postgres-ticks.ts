/** The rules of core/tick.ts in SQL. The lease has the latest tick, which is judged under its lock; see postgres-tables.ts. */
import { AHEAD_MS } from '../../core/tick.ts';
import { columnsOf, list, lockedLeases, NOW_MS } from './postgres-sql.ts';
import type { PostgresTables } from './postgres-tables.ts';

export interface TickStatements {
  readonly startTick: string;
  readonly endTick: string;
  readonly resetTicks: string;
  readonly ticks: string;
}

export function tickStatements(tables: PostgresTables): TickStatements {
  const { lease, tick } = tables;
  return {
    // $5: the missed ticks. $6: the tick to start, or null. $7: whether to retry. $8: the number of ticks to keep.
    startTick: `WITH${list({ c_name: 'text', c_nonce: 'text', c_token: 'bigint' })},${lockedLeases(tables)},
times AS (
  SELECT each AS at_ms, 'missed' AS state FROM unnest($5::bigint[]) AS each
  UNION ALL
  SELECT $6::bigint, 'running' WHERE $6::bigint IS NOT NULL
),
decided AS MATERIALIZED (
  SELECT t.*, s.last_ms, CASE
      WHEN NOT (COALESCE(t.nonce = t.c_nonce, false) AND t.token = t.c_token AND t.until_ms > t.now_ms) THEN 'lost'
      WHEN s.first_ms <= t.tick_ms AND ($7::boolean AND t.tick_running AND t.tick_token <> t.c_token
        AND s.first_ms = $6::bigint AND s.first_ms = t.tick_ms) IS NOT TRUE THEN 'taken'
      WHEN s.last_ms > t.now_ms THEN 'early'
      ELSE 'started' END AS type
  FROM timed AS t, (SELECT min(at_ms) AS first_ms, max(at_ms) AS last_ms FROM times) AS s
),
written AS (
  UPDATE ${lease} AS l SET tick_ms = d.last_ms, tick_token = d.token, tick_running = $6::bigint IS NOT NULL
  FROM decided AS d WHERE l.name = d.c_name AND d.type = 'started' AND d.last_ms IS NOT NULL
),
recorded AS (
  INSERT INTO ${tick} (name, tick_ms, state, token, holder, start_ms, end_ms)
  SELECT d.name, times.at_ms, times.state, d.token, d.holder, d.now_ms, CASE WHEN times.state = 'missed' THEN d.now_ms END
  FROM decided AS d, times WHERE d.type = 'started'
  ON CONFLICT (name, tick_ms) DO UPDATE SET state = EXCLUDED.state, token = EXCLUDED.token, holder = EXCLUDED.holder,
    start_ms = EXCLUDED.start_ms, end_ms = EXCLUDED.end_ms
),
trimmed AS (
  DELETE FROM ${tick} AS t USING decided AS d
  WHERE d.type = 'started' AND t.name = d.name AND t.tick_ms <= (
    SELECT o.tick_ms FROM ${tick} AS o WHERE o.name = d.name ORDER BY o.tick_ms DESC
    LIMIT 1 OFFSET greatest(0, $8::bigint - (SELECT count(*) FROM times WHERE d.tick_ms IS NULL OR at_ms > d.tick_ms))
  )
)
SELECT n, type, tick_ms, now_ms FROM decided`,

    endTick: `WITH${list({ c_name: 'text', c_token: 'bigint', c_tick_ms: 'bigint', c_state: 'text' })},${lockedLeases(tables)},
ended AS (
  UPDATE ${tick} AS t SET state = k.c_state, end_ms = greatest(t.start_ms, k.now_ms)
  FROM timed AS k WHERE t.name = k.c_name AND t.tick_ms = k.c_tick_ms AND t.token = k.c_token AND t.state = 'running'
  RETURNING t.name
),
written AS (
  UPDATE ${lease} AS l SET tick_running = false
  FROM timed AS k, ended WHERE l.name = k.c_name AND k.tick_ms = k.c_tick_ms AND k.tick_token = k.c_token
)
SELECT n, EXISTS (SELECT FROM ended) AS is_ended FROM timed`,

    // Only if this statement sees the latest tick: its snapshot may be older than the lock of the lease.
    resetTicks: `WITH${list({ c_name: 'text' })},${lockedLeases(tables)},
seen AS MATERIALIZED (
  SELECT k.*, k.now_ms + ${AHEAD_MS} AS most_ms FROM timed AS k WHERE k.tick_ms IS NULL
    OR EXISTS (SELECT FROM ${tick} AS t WHERE t.name = k.c_name AND t.tick_ms = k.tick_ms)
),
removed AS (
  DELETE FROM ${tick} AS t USING seen AS k WHERE t.name = k.c_name AND t.tick_ms > k.most_ms
  RETURNING t.name, t.tick_ms, t.token::text, t.holder, t.start_ms, t.end_ms, CASE WHEN t.state = 'running'
    AND (k.token = t.token AND k.nonce IS NOT NULL AND k.until_ms > k.now_ms) IS NOT TRUE THEN 'interrupted' ELSE t.state END AS state
),
latest AS (
  SELECT t.tick_ms, t.token, t.state FROM ${tick} AS t JOIN seen AS k ON t.name = k.c_name AND t.tick_ms <= k.most_ms
  ORDER BY t.tick_ms DESC LIMIT 1
),
written AS (
  UPDATE ${lease} AS l SET tick_ms = s.tick_ms, tick_token = s.token, tick_running = COALESCE(s.state = 'running', false)
  FROM seen AS k LEFT JOIN latest AS s ON true WHERE l.name = k.c_name AND EXISTS (SELECT FROM removed)
)
SELECT n, COALESCE((SELECT json_agg(removed ORDER BY tick_ms DESC) FROM removed), '[]')::text AS removed FROM seen`,

    ticks: `SELECT t.name, t.tick_ms, t.token, t.holder, t.start_ms, t.end_ms,
  CASE WHEN t.state = 'running' AND l.token IS DISTINCT FROM t.token THEN 'interrupted' ELSE t.state END AS state
FROM ${tick} AS t LEFT JOIN (
  SELECT ${columnsOf('l')} FROM ${lease} AS l WHERE nonce IS NOT NULL AND until_ms > ${NOW_MS}
) AS l ON l.name = t.name
WHERE t.name = $1 ORDER BY t.tick_ms DESC LIMIT $2::bigint`,
  };
}
