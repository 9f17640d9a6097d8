/**
 * Renewals, in one packet: the rule is simple enough for a condition. An UPDATE judges a lease after it has locked it, and
 * evaluates SYSDATE(6) again for the judged row.
 */
import type { RenewAnswer, RenewRequest } from '../../core/calls.ts';
import { EMPTY_ROW, renew } from '../../core/lease-row.ts';
import { metadataText } from '../../core/term-data.ts';
import type { MysqlCalls } from './mysql-calls.ts';
import { lookStatements, type MysqlLeases, newStamp } from './mysql-leases.ts';
import { listOf, literal, NOW_MS, rowsOf } from './mysql-sql.ts';

/** LAST_INSERT_ID(…) reaches the client with the number of rows: 2 if the answer has more to say than `ok`. */
const TELLS_MORE = `LAST_INSERT_ID(CASE WHEN transfer_to IS NULL AND (challenger IS NULL OR challenger_until_ms <= ${NOW_MS}) THEN 1 ELSE 2 END)`;

const OK: RenewAnswer = { type: 'ok', challenger: null, transferTo: null };

/** Undefined if the look of `renewAll` must decide. */
export async function renewOne(
  calls: MysqlCalls,
  { name, nonce, token, ttlMs, update }: RenewRequest,
  timeoutMs: number,
): Promise<RenewAnswer | undefined> {
  if (update !== undefined) return undefined;
  const results = await calls.tryWrite(
    [
      `UPDATE hustings_lease SET stamp = ${literal(newStamp())}, version = version + SIGN(${TELLS_MORE}),
  span_ms = ${literal(ttlMs)}, until_ms = ${NOW_MS} + ${literal(ttlMs)}
  WHERE name = ${literal(name)} AND nonce = ${literal(nonce)} AND token = ${literal(token)} AND evicted = 0 AND until_ms > ${NOW_MS}`,
    ],
    timeoutMs,
  );
  return results !== null && results[0].matched === 1 && results[0].insertId === 1 ? OK : undefined;
}

/**
 * Undefined for a lease that is locked. The look comes in the same transaction: a lease with the stamp of this call was
 * renewed, and the rule then gives the same answer as before. The names differ.
 */
export async function renewAll(
  calls: MysqlCalls,
  leases: MysqlLeases,
  requests: readonly RenewRequest[],
  timeoutMs: number,
): Promise<readonly (RenewAnswer | undefined)[]> {
  const stamp = newStamp();
  const names = requests.map(({ name }) => name);
  const ttls = [...new Set(requests.map(({ ttlMs }) => ttlMs))];
  const updates = ttls.map((ttlMs) => {
    const terms = requests.filter((each) => each.ttlMs === ttlMs);
    const tuples = terms.map(({ name, nonce, token }) => `(${listOf([name, nonce, token])})`).join(', ');
    const { join, assignments } = updatesOf(terms);
    return `UPDATE (
    SELECT k.name, COALESCE(k.updates, 0) AS updates FROM hustings_lease AS k
    WHERE k.name IN (${listOf(terms.map(({ name }) => name))}) AND (k.name, k.nonce, k.token) IN (${tuples})
    ORDER BY k.name LIMIT ${terms.length} FOR UPDATE SKIP LOCKED
  ) AS locked ${join}STRAIGHT_JOIN hustings_lease AS l ON l.name = locked.name
  SET l.stamp = ${literal(stamp)}, l.version = l.version + 1, l.span_ms = ${literal(ttlMs)},
    l.until_ms = ${NOW_MS} + ${literal(ttlMs)}${assignments}
  WHERE l.evicted = 0 AND l.until_ms > ${NOW_MS}`;
  });
  const look = lookStatements(names);
  const statements = ['START TRANSACTION', ...updates, ...look, 'COMMIT'];
  const results = await calls.tryWrite(statements, timeoutMs);
  if (results === null) return requests.map(() => undefined);
  const found = leases.lookFrom(results.slice(1 + updates.length, -1));
  return requests.map((request) => {
    const stored = found.leases.get(request.name);
    const { answer } = renew(stored?.row ?? EMPTY_ROW, request, found.nowMs);
    return answer.type === 'ok' && stored?.stamp !== stamp ? undefined : answer;
  });
}

/** What a list adds to its UPDATE if one of its renewals carries an update. Those without have number 0. */
function updatesOf(requests: readonly RenewRequest[]): {
  readonly join: string;
  readonly assignments: string;
} {
  if (requests.every(({ update }) => update === undefined)) return { join: '', assignments: '' };
  const rows = requests.map(({ name, nonce, update }) => [
    ...[name, update?.number ?? 0],
    ...[metadataText(nonce, update?.metadata), update?.checkpoint ?? null],
  ]);
  const isNew = 'v.number > locked.updates';
  return {
    join: `STRAIGHT_JOIN ${rowsOf(['name', 'number', 'metadata', 'checkpoint'], rows)} AS v ON v.name = locked.name `,
    assignments: `,
    l.updates = CASE WHEN ${isNew} THEN v.number ELSE l.updates END,
    l.metadata = CASE WHEN ${isNew} THEN COALESCE(v.metadata, l.metadata) ELSE l.metadata END,
    l.checkpoint = CASE WHEN ${isNew} AND v.checkpoint IS NOT NULL THEN NULLIF(v.checkpoint, X'') ELSE l.checkpoint END`,
  };
}
