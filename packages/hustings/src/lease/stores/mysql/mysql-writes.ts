/** The transaction that writes leases, by the rules of mysql-leases.ts. */
import type { Applied } from '../../core/lease-row.ts';
import { metadataText } from '../../core/term-data.ts';
import type { Term } from '../../lease-store.ts';
import { endTerm } from '../term-keeping.ts';
import { LEASE_COLUMNS, LEASE_FIELDS, leaseValues, type MysqlLease, runningTerm } from './mysql-row.ts';
import { listOf, literal, NOW_MS, NOW_US, rowsOf, type Value } from './mysql-sql.ts';

/** What a rule makes of a lease. */
export interface LeaseChange<Answer> extends Applied<Answer> {
  /** Statements of the same transaction. Each has an effect only if `isWritten`, a condition, holds. */
  more?(isWritten: string): readonly string[];
}

export interface Write {
  readonly name: string;
  readonly stored: MysqlLease | undefined;
  readonly change: LeaseChange<unknown>;
}

/** The statement before the last one returns the leases that were written. */
export function writeTransaction(
  writes: readonly Write[],
  stamp: bigint,
  nowMs: number,
  keepTerms: number,
  isWhole = false,
): readonly string[] {
  const plans = writes.map((write) => planWrite(write, stamp, nowMs));
  const inserts = plans.filter(({ stored }) => stored === undefined);
  const updates = plans.filter(({ stored }) => stored !== undefined);
  const ended = plans.flatMap(({ stored, endedTerm }) =>
    endedTerm === null ? [] : [termValues(endedTerm, stored!)],
  );
  return [
    'START TRANSACTION',
    ...(inserts.length === 0 ? [] : insertLeases(inserts)),
    ...(isWhole ? wholeOrNothing(inserts, updates, stamp) : []),
    ...(updates.length === 0 ? [] : [updateLeases(updates, nowMs, isWhole ? IS_WHOLE : 'TRUE')]),
    ...(ended.length === 0 ? [] : [insertTerms(ended, stamp)]),
    ...plans.flatMap(({ name, isGrant, lease: { terms }, more }) => {
      const isWritten = `EXISTS (SELECT 1 FROM hustings_lease AS l WHERE l.name = ${literal(name)} AND l.stamp = ${stamp})`;
      const isTooMany = isGrant && terms > keepTerms;
      return [
        ...(isTooMany ? [trimTerms(name, terms - keepTerms, isWritten)] : []),
        ...(more?.(isWritten) ?? []),
      ];
    }),
    `SELECT name, token FROM hustings_lease WHERE name IN (${listOf(writes.map(({ name }) => name))}) AND stamp = ${stamp}`,
    'COMMIT',
  ];
}

const IS_WHOLE = '@hustings_is_whole';

/** Locks the leases that are to be updated. If not all could be locked and inserted, the inserted ones are deleted. */
function wholeOrNothing(
  inserts: readonly Plan[],
  updates: readonly Plan[],
  stamp: bigint,
): readonly string[] {
  const namesOf = (plans: readonly Plan[]): string => listOf(plans.map(({ name }) => name));
  const own = `WHERE name IN (${namesOf(inserts)}) AND stamp = ${stamp}`;
  const inserted = inserts.length === 0 ? '0' : `(SELECT COUNT(*) FROM hustings_lease ${own})`;
  return [
    ...(updates.length === 0 ? [] : [lockSeen(updates)]),
    `SET ${IS_WHOLE} = ${updates.length === 0 ? '0' : 'FOUND_ROWS()'} + ${inserted} = ${inserts.length + updates.length}`,
    ...(inserts.length === 0 ? [] : [`DELETE FROM hustings_lease ${own} AND NOT ${IS_WHOLE}`]),
  ];
}

/** The leases whose stamp is still the one that was seen. */
function lockSeen(plans: readonly Plan[]): string {
  const seen = plans.map(({ name, stored }) => `(${listOf([name, stored!.stamp])})`);
  return `SELECT k.name FROM hustings_lease AS k
    WHERE k.name IN (${listOf(plans.map(({ name }) => name))}) AND (k.name, k.stamp) IN (${seen.join(', ')})
    ORDER BY k.name LIMIT ${plans.length} FOR UPDATE SKIP LOCKED`;
}

interface Plan {
  readonly name: string;
  readonly stored: MysqlLease | undefined;
  readonly lease: MysqlLease;
  readonly isGrant: boolean;
  readonly endedTerm: Term | null;
  readonly more: LeaseChange<unknown>['more'];
}

/** The lease after the change, and the term that ends with it. */
function planWrite({ name, stored, change }: Write, stamp: bigint, nowMs: number): Plan {
  const { row, ended, more } = change;
  const running = stored && runningTerm(name, stored);
  const endedTerm =
    ended === null || running === undefined
      ? null
      : endTerm(running, ended, { monoMs: nowMs, wallMs: nowMs });
  const isGrant = row.token > (stored?.row.token ?? 0n);
  const terms = (stored?.terms ?? 0) + (isGrant ? 1 : 0);
  const startMs = Math.max(stored?.startMs ?? 0, endedTerm?.endMs ?? 0, isGrant ? nowMs : 0);
  return { name, stored, lease: { row, stamp, startMs, terms }, isGrant, endedTerm, more };
}

/** Greater than `token`, if this is a grant. */
const tokenOf = (token: string): string =>
  `GREATEST(${token}, ${NOW_US}, (SELECT COALESCE(MAX(past_token), 0) + 1 FROM hustings_layout))`;

function insertLeases(plans: readonly Plan[]): readonly string[] {
  const place = LEASE_FIELDS.indexOf('token');
  const rows = plans.map(({ name, lease }) =>
    leaseValues(name, lease)
      .map((value, index) => (index === place ? tokenOf(literal(value)) : literal(value)))
      .join(', '),
  );
  return [
    'SELECT past_token FROM hustings_layout LOCK IN SHARE MODE',
    // Not IGNORE, which would cut a text that is too long.
    `INSERT INTO hustings_lease (${LEASE_COLUMNS}) VALUES (${rows.join('), (')})
  ON DUPLICATE KEY UPDATE name = hustings_lease.name`,
  ];
}

/** LIMIT and STRAIGHT_JOIN make the server lock the leases before it touches anything else. */
function updateLeases(plans: readonly Plan[], nowMs: number, condition: string): string {
  const columns = [...LEASE_FIELDS, 'is_grant', 'was_valid'];
  const rows = plans.map(({ name, stored, lease, isGrant }) => [
    ...leaseValues(name, lease),
    isGrant,
    stored!.row.untilMs > nowMs,
  ]);
  const assignments = LEASE_FIELDS.slice(1).map((field) =>
    field === 'token'
      ? `l.token = CASE WHEN v.is_grant THEN ${tokenOf('v.token')} ELSE v.token END`
      : `l.${field} = v.${field}`,
  );
  return `UPDATE (
    ${lockSeen(plans)}
  ) AS locked STRAIGHT_JOIN ${rowsOf(columns, rows)} AS v ON v.name = locked.name
  STRAIGHT_JOIN hustings_lease AS l ON l.name = locked.name
  SET ${assignments.join(', ')}
  WHERE ${condition} AND (NOT v.was_valid OR l.until_ms > ${NOW_MS})`;
}

const ENDED_FIELDS = [
  'name',
  'token',
  'number',
  'holder',
  'nonce',
  'start_ms',
  'end_ms',
  'cause',
  'claimed_until_ms',
  'metadata',
];

const termValues = (
  { name, token, holder, nonce, startMs, endMs, cause, claimedUntilMs, metadata }: Term,
  { terms }: MysqlLease,
): readonly Value[] => [
  ...[name, token, terms, holder, nonce, startMs, endMs, cause, claimedUntilMs],
  metadataText(nonce, metadata),
];

/** Only the terms of leases that were written. */
const insertTerms = (terms: readonly (readonly Value[])[], stamp: bigint): string =>
  `INSERT INTO hustings_term (${ENDED_FIELDS.join(', ')})
  SELECT ${ENDED_FIELDS.map((field) => `v.${field}`).join(', ')}
  FROM ${rowsOf(ENDED_FIELDS, terms)} AS v JOIN hustings_lease AS l ON l.name = v.name AND l.stamp = ${stamp}
  ON DUPLICATE KEY UPDATE number = hustings_term.number`;

/** At most ten old terms are deleted at a time. */
const trimTerms = (name: string, maxNumber: number, isWritten: string): string =>
  `DELETE t FROM hustings_term AS t JOIN (
    SELECT o.token, o.start_ms, o.number FROM hustings_term AS o WHERE o.name = ${literal(name)} ORDER BY o.token LIMIT 10
  ) AS old ON t.token = old.token AND t.start_ms = old.start_ms
  WHERE t.name = ${literal(name)} AND old.number <= ${maxNumber} AND ${isWritten}`;
