/**
 * The prepared statements of the SQLite store. A rule of lease-row.ts reads and writes its row, and the term that begins or
 * ends with it, in one transaction.
 */

import type { ClockReading } from '../../core/clock-reading.ts';
import { type Applied, EMPTY_ROW, type LeaseRow } from '../../core/lease-row.ts';
import type { HostClock } from '../../host/host-clock.ts';
import type { HistoryQuery, Term } from '../../lease-store.ts';
import type { SqliteDatabase, SqliteStatement } from '../sqlite-library.ts';
import { endTerm, selectTerms, shownTerm, startTerm } from '../term-keeping.ts';
import {
  type Grant,
  LEASE_COLUMNS,
  leaseValues,
  type StoredLease,
  storedLease,
  storedTerm,
} from './sqlite-row.ts';

const NO_GRANT: Grant = { boot: '', spanMs: 0, untilWallMs: 0 };
const TERM_COLUMNS = 'name, token, holder, nonce, start_ms, end_ms, cause, claimed_until_ms';

export class SqliteLeases {
  readonly #clock: HostClock;
  readonly #keepTerms: bigint;
  readonly #statements: Readonly<Record<keyof ReturnType<typeof texts>, SqliteStatement>>;

  constructor(database: SqliteDatabase, clock: HostClock, keepTerms: number) {
    this.#clock = clock;
    this.#keepTerms = BigInt(keepTerms);
    const prepared = Object.entries(texts()).map(([key, text]) => {
      const statement = database.prepare(text);
      // A token may exceed the range of a number.
      statement.setReadBigInts(true);
      return [key, statement];
    });
    this.#statements = Object.fromEntries(prepared);
  }

  /** The clock is read while the file is locked, so time never goes backwards from one transaction to the next. */
  transaction<T>(begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: (now: ClockReading) => T): T {
    const { beginRead, beginWrite, commit, rollback } = this.#statements;
    (begin === 'BEGIN' ? beginRead : beginWrite).run();
    try {
      const result = work({ monoMs: this.#clock.monoMs(), wallMs: this.#clock.wallMs() });
      commit.run();
      return result;
    } catch (error) {
      try {
        rollback.run();
      } catch {
        // Some errors end the transaction themselves.
      }
      throw error;
    }
  }

  row(name: string, now: ClockReading): LeaseRow {
    return this.#stored(name, now)?.row ?? EMPTY_ROW;
  }

  change<Answer>(name: string, now: ClockReading, rule: (row: LeaseRow) => Applied<Answer>): Answer {
    const stored = this.#stored(name, now);
    const before = stored?.row ?? EMPTY_ROW;
    const { row, answer, ended } = rule(before);
    if (row === before) return answer;
    const last = ended === null ? undefined : this.#end(name, before, stored!.grant, ended, now);
    if (row.token > before.token) this.#begin(name, row, now, last);
    const grant = row.untilMs === before.untilMs && stored ? stored.grant : this.#grant(row, now);
    // The most frequent case, for up to a thousand leases at a time.
    if (isExtension(before, row)) {
      const { boot, spanMs, untilWallMs } = grant;
      this.#statements.extendLease.run(row.version, boot, row.untilMs, spanMs, untilWallMs, name);
    } else this.#statements.putLease.run(...leaseValues(name, row, grant));
    return answer;
  }

  history(name: string, now: ClockReading, query?: HistoryQuery): readonly Term[] {
    const stored = this.#stored(name, now);
    if (stored === undefined) return [];
    const { row, grant } = stored;
    const { listTerms, listTermsAt } = this.#statements;
    const { atMs, limit } = query ?? {};
    // Two terms, because the newest may have expired before that time.
    const found = atMs === undefined ? listTerms.all(name, limit ?? -1) : listTermsAt.all(name, atMs, atMs);
    const terms = found.map(storedTerm);
    // While a term lasts, the end of its grant is in the lease row: a renewal writes one row, not two.
    const shown = terms.map((term) =>
      term.endMs === null ? shownTerm({ ...term, claimedUntilMs: grant.untilWallMs }, row, now) : term,
    );
    return selectTerms(shown, query);
  }

  names(): readonly string[] {
    return this.#statements.listNames.all().map(({ name }) => String(name));
  }

  sqliteVersion(): string {
    return String(this.#statements.sqliteVersion.get()!.version);
  }

  #stored(name: string, now: ClockReading): StoredLease | undefined {
    const columns = this.#statements.getLease.get(name);
    return columns && storedLease(columns, this.#clock, now.monoMs);
  }

  #grant(row: LeaseRow, now: ClockReading): Grant {
    const spanMs = row.untilMs - now.monoMs;
    return { ...NO_GRANT, boot: this.#clock.boot, spanMs, untilWallMs: now.wallMs + spanMs };
  }

  #end(
    name: string,
    row: LeaseRow,
    grant: Grant,
    ended: NonNullable<Applied<unknown>['ended']>,
    now: ClockReading,
  ): Term | undefined {
    const columns = this.#statements.getTerm.get(name, row.token);
    if (columns === undefined) return undefined;
    const term = endTerm({ ...storedTerm(columns), claimedUntilMs: grant.untilWallMs }, ended, now);
    this.#statements.endTerm.run(term.endMs, term.cause, term.claimedUntilMs, name, term.token);
    return term;
  }

  #begin(name: string, row: LeaseRow, now: ClockReading, last: Term | undefined): void {
    const columns = last === undefined ? this.#statements.lastTerm.get(name, row.token) : undefined;
    const before = columns === undefined ? last : storedTerm(columns);
    const term = startTerm(name, row, now, before);
    this.#statements.addTerm.run(
      name,
      term.token,
      term.holder,
      term.nonce,
      term.startMs,
      null,
      null,
      term.claimedUntilMs,
    );
    // Tokens of this store increase by one, so the difference counts the later terms.
    this.#statements.dropTerms.run(name, row.token - this.#keepTerms);
  }
}

function isExtension(before: LeaseRow, after: LeaseRow): boolean {
  return (
    after.holder !== null &&
    after.holder === before.holder &&
    after.token === before.token &&
    after.successor === before.successor &&
    after.transferTo === before.transferTo &&
    after.challenger === before.challenger
  );
}

const texts = () => ({
  beginRead: 'BEGIN',
  beginWrite: 'BEGIN IMMEDIATE',
  commit: 'COMMIT',
  rollback: 'ROLLBACK',
  getLease: `SELECT ${LEASE_COLUMNS} FROM hustings_lease WHERE name = ?`,
  putLease: `INSERT OR REPLACE INTO hustings_lease (${LEASE_COLUMNS}) VALUES (${LEASE_COLUMNS.replace(/\w+/g, '?')})`,
  extendLease:
    'UPDATE hustings_lease SET version = ?, boot = ?, until_ms = ?, span_ms = ?, until_wall_ms = ? WHERE name = ?',
  listNames: 'SELECT name FROM hustings_lease ORDER BY name',
  getTerm: `SELECT ${TERM_COLUMNS} FROM hustings_term WHERE name = ? AND token = ?`,
  lastTerm: `SELECT ${TERM_COLUMNS} FROM hustings_term WHERE name = ? AND token < ? ORDER BY token DESC LIMIT 1`,
  listTerms: `SELECT ${TERM_COLUMNS} FROM hustings_term WHERE name = ? ORDER BY token DESC LIMIT ?`,
  listTermsAt: `SELECT ${TERM_COLUMNS} FROM hustings_term WHERE name = ? AND start_ms <= ? AND (end_ms IS NULL OR end_ms > ?) ORDER BY token DESC LIMIT 2`,
  addTerm: `INSERT INTO hustings_term (${TERM_COLUMNS}) VALUES (${TERM_COLUMNS.replace(/\w+/g, '?')})`,
  endTerm:
    'UPDATE hustings_term SET end_ms = ?, cause = ?, claimed_until_ms = ? WHERE name = ? AND token = ?',
  dropTerms: 'DELETE FROM hustings_term WHERE name = ? AND token <= ?',
  sqliteVersion: 'SELECT sqlite_version() AS version',
});
