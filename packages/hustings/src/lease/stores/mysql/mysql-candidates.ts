/** The candidates that wait for a lease. */
import type { AcquireRequest, WithdrawRequest } from '../../core/calls.ts';
import type { WaitingCandidate } from '../../core/lease-record.ts';
import { firstAhead, type Registration } from '../../core/queue.ts';
import type { MysqlRow } from './mysql-client.ts';
import { listOf, literal, NOW_MS, NOW_US } from './mysql-sql.ts';

/** An earlier version of hustings writes no place. */
const PLACE = 'COALESCE(place, at_ms * 1000)';

/** The registrations of these requests, and all others of the elections in which one of them asks for fair order. */
export function readRegistrations(requests: readonly AcquireRequest[]): string {
  const fair = requests.filter((request) => request.fair === true).map(({ name }) => name);
  const nonces = listOf(requests.map(({ nonce }) => nonce));
  const isRead =
    fair.length === 0 ? `nonce IN (${nonces})` : `(nonce IN (${nonces}) OR name IN (${listOf(fair)}))`;
  return `SELECT name, nonce, id, priority, at_ms, until_ms, ${PLACE} AS place FROM hustings_candidate
  WHERE name IN (${listOf(requests.map(({ name }) => name))}) AND ${isRead}`;
}

/** The candidate whose turn it is in fair order; null if that is the requesting one, or it asks for no order. */
export function aheadOf(
  request: AcquireRequest,
  found: readonly MysqlRow[],
  nowMs: number,
): Registration | null {
  if (request.fair !== true) return null;
  const waiting = found
    .filter(({ name }) => name === request.name)
    .map(
      (row): Registration => ({
        ...{ id: row.id!, nonce: row.nonce!, priority: Number(row.priority), atMs: Number(row.at_ms) },
        ...{ untilMs: Number(row.until_ms), place: Number(row.place) },
      }),
    );
  return firstAhead(waiting, request, nowMs);
}

export const registrationKey = ({ name, nonce }: WithdrawRequest | MysqlRow): string =>
  JSON.stringify([name, nonce]);

/** Whether more than half of the registration is left: then a request that is refused need not write. */
export function isRegistered(
  { id, priority, registerMs }: AcquireRequest,
  found: MysqlRow | undefined,
  nowMs: number,
): boolean {
  if (found === undefined || found.id !== id || Number(found.priority) !== priority) return false;
  const leftMs = Number(found.until_ms) - nowMs;
  return leftMs >= registerMs / 2 && leftMs <= registerMs;
}

/** Registers the requests, and forgets the registrations of the same elections that are over. */
export function register(requests: readonly AcquireRequest[], nowMs: number): readonly string[] {
  if (requests.length === 0) return [];
  const rows = requests.map(
    ({ name, nonce, id, priority, registerMs }) =>
      `(${listOf([name, nonce, id, priority, nowMs, nowMs + Math.ceil(registerMs)])}, ${NOW_US})`,
  );
  return [
    `INSERT INTO hustings_candidate (name, nonce, id, priority, at_ms, until_ms, place) VALUES ${rows.sort().join(', ')}
  ON DUPLICATE KEY UPDATE place = CASE WHEN until_ms > VALUES(at_ms) THEN ${PLACE} ELSE VALUES(place) END, id = VALUES(id), priority = VALUES(priority), at_ms = VALUES(at_ms), until_ms = VALUES(until_ms)`,
    `DELETE FROM hustings_candidate WHERE name IN (${listOf(requests.map(({ name }) => name))}) AND until_ms <= ${nowMs}`,
  ];
}

/** Deletes the registration of a candidate that got the lease. */
export const removeRegistration = ({ name, nonce }: WithdrawRequest, isWritten: string): string =>
  `DELETE FROM hustings_candidate WHERE name = ${literal(name)} AND nonce = ${literal(nonce)} AND ${isWritten}`;

export const withdrawStatement = (requests: readonly WithdrawRequest[]): string =>
  `DELETE FROM hustings_candidate WHERE (name, nonce) IN (${requests
    .map(({ name, nonce }) => `(${listOf([name, nonce])})`)
    .join(', ')})`;

export const listCandidates = (name: string): string =>
  `SELECT id, nonce, priority, now_ms - at_ms AS seen_ms
  FROM (SELECT w.id, w.nonce, w.priority, w.at_ms, w.until_ms, ${NOW_MS} AS now_ms FROM hustings_candidate AS w
    WHERE w.name = ${literal(name)}) AS waiting
  WHERE until_ms > now_ms ORDER BY id, nonce`;

export const candidateFrom = ({ id, nonce, priority, seen_ms }: MysqlRow): WaitingCandidate => ({
  id: id!,
  nonce: nonce!,
  priority: Number(priority),
  seenMs: Number(seen_ms),
});
