/** The candidates that wait for a lease. */
import type { AcquireRequest, WithdrawRequest } from '../../core/calls.ts';
import type { WaitingCandidate } from '../../core/lease-record.ts';
import type { MysqlRow } from './mysql-client.ts';
import { listOf, literal, NOW_MS } from './mysql-sql.ts';

/** The registrations of these requests. */
export const readRegistrations = (requests: readonly WithdrawRequest[]): string =>
  `SELECT name, nonce, id, priority, until_ms FROM hustings_candidate
  WHERE name IN (${listOf(requests.map(({ name }) => name))}) AND nonce IN (${listOf(requests.map(({ nonce }) => nonce))})`;

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
      `(${listOf([name, nonce, id, priority, nowMs, nowMs + Math.ceil(registerMs)])})`,
  );
  return [
    `INSERT INTO hustings_candidate (name, nonce, id, priority, at_ms, until_ms) VALUES ${rows.sort().join(', ')}
  ON DUPLICATE KEY UPDATE id = VALUES(id), priority = VALUES(priority), at_ms = VALUES(at_ms), until_ms = VALUES(until_ms)`,
    `DELETE FROM hustings_candidate WHERE name IN (${listOf(requests.map(({ name }) => name))}) AND until_ms <= ${nowMs}`,
  ];
}

/** Of a candidate that got the lease. */
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
