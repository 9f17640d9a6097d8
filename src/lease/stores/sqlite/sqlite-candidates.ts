/**
 * The candidates that wait for a lease. Times are of the monotonic clock, which the processes of one host share; a registration
 * that lies in the future is of an earlier boot.
 */
import type { AcquireRequest, WithdrawRequest } from '../../core/calls.ts';
import type { WaitingCandidate } from '../../core/lease-record.ts';
import type { SqliteDatabase } from '../sqlite-library.ts';
import { storedCandidate } from './sqlite-row.ts';
import { excluded, places, prepareAll, type Statements } from './sqlite-statements.ts';

export class SqliteCandidates {
  readonly #statements: Statements<typeof TEXTS>;

  constructor(database: SqliteDatabase) {
    this.#statements = prepareAll(database, TEXTS);
  }

  /** Whether more than half of the registration is left: then a request that is refused need not write. */
  isRegistered({ name, nonce, id, priority, registerMs }: AcquireRequest, nowMs: number): boolean {
    const endMs = nowMs + Math.ceil(registerMs / 2);
    return this.#statements.find.get(name, nonce, id, priority, nowMs, endMs) !== undefined;
  }

  register({ name, nonce, id, priority, registerMs }: AcquireRequest, nowMs: number): void {
    this.#statements.forget.run(name, nowMs, nowMs);
    const endMs = nowMs + Math.ceil(registerMs);
    this.#statements.put.run(name, nonce, id, priority, nowMs, endMs);
  }

  remove({ name, nonce }: WithdrawRequest): void {
    this.#statements.remove.run(name, nonce);
  }

  list(name: string, nowMs: number): readonly WaitingCandidate[] {
    return this.#statements.list.all(name, nowMs, nowMs).map((columns) => storedCandidate(columns, nowMs));
  }
}

const COLUMNS = 'name, nonce, id, priority, at_ms, until_ms';
const TEXTS = {
  find: `SELECT 1 FROM hustings_candidate WHERE name = ? AND nonce = ? AND id = ? AND priority = ?
    AND at_ms <= ? AND until_ms > ?`,
  forget: 'DELETE FROM hustings_candidate WHERE name = ? AND (until_ms <= ? OR at_ms > ?)',
  put: `INSERT INTO hustings_candidate (${COLUMNS}) VALUES (${places(COLUMNS)})
    ON CONFLICT (name, nonce) DO UPDATE SET ${excluded(COLUMNS)}`,
  remove: 'DELETE FROM hustings_candidate WHERE name = ? AND nonce = ?',
  list: `SELECT ${COLUMNS} FROM hustings_candidate WHERE name = ? AND at_ms <= ? AND until_ms > ? ORDER BY id, nonce`,
};
