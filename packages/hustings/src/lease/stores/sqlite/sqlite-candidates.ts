/**
 * The candidates that wait for a lease. Times are of the monotonic clock, which the processes of one host share; a registration
 * that lies in the future is of an earlier boot.
 */
import type { AcquireRequest, WithdrawRequest } from '../../core/calls.ts';
import type { WaitingCandidate } from '../../core/lease-record.ts';
import { firstAhead, type Registration, registrationOf } from '../../core/queue.ts';
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

  register(request: AcquireRequest, nowMs: number): void {
    const { name, nonce, id, priority, registerMs } = request;
    this.#statements.forget.run(name, nowMs, nowMs);
    const endMs = nowMs + Math.ceil(registerMs);
    const { place } = registrationOf(this.#waiting(name, nowMs), request, nowMs);
    this.#statements.put.run(name, nonce, id, priority, nowMs, endMs, place!);
  }

  /** The candidate whose turn it is in fair order; null if that is the requesting one, or it asks for no order. */
  ahead(request: AcquireRequest, nowMs: number): Registration | null {
    return request.fair === true ? firstAhead(this.#waiting(request.name, nowMs), request, nowMs) : null;
  }

  #waiting(name: string, nowMs: number): readonly Registration[] {
    return this.#statements.list.all(name, nowMs, nowMs).map((columns) => ({
      ...storedCandidate(columns, nowMs),
      atMs: Number(columns.at_ms),
      untilMs: Number(columns.until_ms),
      place: Number(columns.place ?? columns.at_ms),
    }));
  }

  remove({ name, nonce }: WithdrawRequest): void {
    this.#statements.remove.run(name, nonce);
  }

  list(name: string, nowMs: number): readonly WaitingCandidate[] {
    return this.#statements.list.all(name, nowMs, nowMs).map((columns) => storedCandidate(columns, nowMs));
  }
}

const COLUMNS = 'name, nonce, id, priority, at_ms, until_ms, place';
const TEXTS = {
  find: `SELECT 1 FROM hustings_candidate WHERE name = ? AND nonce = ? AND id = ? AND priority = ?
    AND at_ms <= ? AND until_ms > ?`,
  forget: 'DELETE FROM hustings_candidate WHERE name = ? AND (until_ms <= ? OR at_ms > ?)',
  put: `INSERT INTO hustings_candidate (${COLUMNS}) VALUES (${places(COLUMNS)})
    ON CONFLICT (name, nonce) DO UPDATE SET ${excluded(COLUMNS)}`,
  remove: 'DELETE FROM hustings_candidate WHERE name = ? AND nonce = ?',
  list: `SELECT ${COLUMNS} FROM hustings_candidate WHERE name = ? AND at_ms <= ? AND until_ms > ? ORDER BY id, nonce`,
};
