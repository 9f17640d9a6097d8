/**
 * The rows of the elections and their terms. A rule of lease-row.ts reads and writes its row, and the term that begins or
 * ends with it, in one transaction.
 */

import type { ClockReading } from '../../core/clock-reading.ts';
import { type Applied, EMPTY_ROW, type LeaseRow, recordOf } from '../../core/lease-row.ts';
import { metadataOf } from '../../core/term-data.ts';
import type { HostClock } from '../../host/host-clock.ts';
import type { HistoryQuery, Term } from '../../lease-store.ts';
import type { SqliteDatabase } from '../sqlite-library.ts';
import { endTerm, grantedUntil, selectTerms, shownTerm, startTerm, wallEndMs } from '../term-keeping.ts';
import {
  type Grant,
  LEASE_COLUMNS,
  leaseColumns,
  leaseValues,
  READ_LEASE,
  type StoredLease,
  storedLease,
  storedTerm,
  TERM_COLUMNS,
} from './sqlite-row.ts';
import { excluded, places, prepareAll, type Statements } from './sqlite-statements.ts';

const NO_GRANT: Grant = {
  boot: '',
  untilMs: 0,
  notBeforeMs: 0,
  notBeforeWallMs: 0,
  untilWallMs: 0,
  terms: 0,
  change: 0,
};

export class SqliteLeases {
  readonly #clock: HostClock;
  readonly #keepTerms: number;
  readonly #statements: Statements<typeof TEXTS>;
  /** The leases that this process extended last, as it wrote them. */
  readonly #extended = new Map<string, StoredLease>();

  constructor(database: SqliteDatabase, clock: HostClock, keepTerms: number) {
    this.#clock = clock;
    this.#keepTerms = keepTerms;
    this.#statements = prepareAll(database, TEXTS);
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
      this.#extended.clear();
      try {
        rollback.run();
      } catch {
        // Some errors end the transaction themselves.
      }
      throw error;
    }
  }

  row(name: string, now: ClockReading): LeaseRow {
    return this.#stored(name, now)?.row ?? { ...EMPTY_ROW, token: this.pastToken() };
  }

  /** `notifies`: watchers of the election are notified of the change. */
  change<Answer>(
    name: string,
    now: ClockReading,
    rule: (row: LeaseRow) => Applied<Answer>,
    notifies = false,
  ): Answer {
    const again = notifies ? undefined : this.#extendAgain(name, now, rule);
    if (again !== undefined) return again.answer;
    const stored = this.#stored(name, now);
    const before = stored?.row ?? { ...EMPTY_ROW, token: this.pastToken() };
    const { row, answer, ended } = rule(before);
    if (row === before) return answer;
    const last = ended === null ? undefined : this.#end(name, before, stored!.grant, ended, now);
    const isNewTerm = row.token > before.token;
    const grant = {
      ...this.#grant(row, before, stored?.grant ?? NO_GRANT, now, isNewTerm),
      ...(notifies ? { change: this.lastChange() + 1 } : {}),
    };
    this.#statements.putLease.run(...leaseValues(name, row, grant, now));
    if (grant.boot === this.#clock.boot && isExtension(before, row)) this.#extended.set(name, { row, grant });
    else this.#extended.delete(name);
    if (isNewTerm) this.#begin(name, row, now, last, stored?.grant.terms ?? 0);
    return answer;
  }

  /**
   * The most frequent case, for up to a thousand leases at a time: a holder extends what it extended before. One statement
   * both finds that nobody has written the row since, and writes it. Every change but a request to hand over has a new
   * version or token, so the row is the one known here, or the statement changes nothing.
   */
  #extendAgain<Answer>(
    name: string,
    now: ClockReading,
    rule: (row: LeaseRow) => Applied<Answer>,
  ): Applied<Answer> | undefined {
    const known = this.#extended.get(name);
    if (known === undefined) return undefined;
    const applied = rule(known.row);
    const { row } = applied;
    if (row === known.row || !isExtension(known.row, row)) return undefined;
    const grant = this.#grant(row, known.row, known.grant, now, false);
    const { changes } = this.#statements.extendAgain.run(
      ...[row.version, grant.untilMs, row.durationMs, grant.untilWallMs, now.wallMs],
      ...[name, known.row.token, known.row.version],
    );
    if (Number(changes) === 0) {
      this.#extended.delete(name);
      return undefined;
    }
    this.#extended.set(name, { row, grant });
    return applied;
  }

  /**
   * Records that this boot has met a row of another boot in its present version. The processes of a boot share its clock, so
   * each of them may count from the first one: also those that ask once and do not wait. Each boot has a mark of its own.
   */
  observe(name: string, now: ClockReading): void {
    const { boot } = this.#clock;
    // Without a boot id a mark could be of another boot.
    if (boot === '') return;
    const isNew = this.#statements.putObservation.get(boot, now.monoMs, name, boot) !== undefined;
    // Marks of earlier versions, of whatever boot.
    if (isNew) this.#statements.dropObservations.run(name, name);
  }

  /** No election gives this token or a smaller one again. */
  pastToken(): bigint {
    return BigInt(this.#statements.getPastToken.get()!.past_token!);
  }

  raisePastToken(token: bigint): void {
    this.#statements.raisePastToken.run(token, token);
  }

  /** Changes of which watchers are notified have ascending numbers, without a counter that each would have to write. */
  lastChange(): number {
    return Number(this.#statements.lastChange.get()!.change);
  }

  /** One statement, in its own transaction. */
  changedSince(change: number): { readonly name: string; readonly change: number }[] {
    return this.#statements.changedSince
      .all(change)
      .map((columns) => ({ name: String(columns.name), change: Number(columns.change) }));
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
    // While a term lasts, the end of its grant and its metadata are in the lease row: a renewal writes one row, not two.
    const shown = terms.map((term) => {
      if (term.endMs !== null) return term;
      const metadata = metadataOf(term.nonce, row.metadata);
      return shownTerm({ ...grantedUntil(term, grant.untilWallMs), metadata }, row, now);
    });
    return selectTerms(shown, query);
  }

  names(): readonly string[] {
    return this.#statements.listNames.all().map(({ name }) => String(name));
  }

  /**
   * The elections that nobody holds and that were not written for `idleMs` on the wall clock. A lease of another boot cannot be
   * judged: it counts as over if it was not written for its own duration on top of that.
   */
  idle(idleMs: number, now: ClockReading): readonly ReturnType<typeof leaseColumns>[] {
    return this.#statements.listIdle
      .all(now.wallMs - idleMs)
      .map(leaseColumns)
      .filter((columns) => {
        const { row } = storedLease(columns, this.#clock.boot, now, null);
        const { remainingMs, durationMs } = recordOf('', row, now.monoMs);
        const idleForMs = now.wallMs - Number(columns.written_wall_ms);
        if (columns.checkpoint !== null) return false;
        return durationMs === 0 || (remainingMs === null && idleForMs >= idleMs + 2 * durationMs);
      });
  }

  /** Deletes the idle elections. */
  prune(idleMs: number, now: ClockReading): readonly string[] {
    const idle = this.idle(idleMs, now);
    const lastChange = this.lastChange();
    if (idle.length > 0) this.#statements.raisePastChange.run(lastChange, lastChange);
    for (const { name, token } of idle) {
      this.raisePastToken(BigInt(token!));
      for (const table of ['Lease', 'Terms', 'Candidates', 'Ticks', 'Observations'] as const) {
        this.#statements[`delete${table}`].run(name);
      }
    }
    return idle.map(({ name }) => String(name));
  }

  sqliteVersion(): string {
    return String(this.#statements.sqliteVersion.get()!.version);
  }

  #stored(name: string, now: ClockReading): StoredLease | undefined {
    const found = this.#statements.getLease.get(name);
    if (found === undefined) return undefined;
    const columns = leaseColumns(found);
    const { boot } = this.#clock;
    const observedMs = columns.boot === boot ? null : this.#observedMs(name, String(columns.version), now);
    return storedLease(columns, boot, now, observedMs);
  }

  /** A mark in the future is of a machine that was restored to an earlier state. */
  #observedMs(name: string, version: string, now: ClockReading): number | null {
    const { boot } = this.#clock;
    const mark = this.#statements.getObservation.get(name, boot, BigInt(version), now.monoMs);
    return mark === undefined ? null : Number(mark.since_ms);
  }

  /** A rule that does not touch the end of the lease leaves it as it is stored, also in the time of another boot. */
  #grant(row: LeaseRow, before: LeaseRow, stored: Grant, now: ClockReading, isNewTerm: boolean): Grant {
    const terms = isNewTerm ? Math.min(stored.terms + 1, this.#keepTerms) : stored.terms;
    if (row.untilMs === before.untilMs && !isNewTerm) return { ...stored, terms };
    const { untilMs, notBeforeMs } = row;
    return {
      boot: this.#clock.boot,
      untilMs,
      notBeforeMs,
      notBeforeWallMs: now.wallMs + notBeforeMs - now.monoMs,
      untilWallMs: wallEndMs(row, now),
      terms,
      change: stored.change,
    };
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
    const term = endTerm(grantedUntil(storedTerm(columns), grant.untilWallMs), ended, now);
    this.#statements.endTerm.run(
      ...[term.endMs, term.cause, term.claimedUntilMs, row.metadata],
      ...[name, term.token],
    );
    return term;
  }

  #begin(name: string, row: LeaseRow, now: ClockReading, last: Term | undefined, terms: number): void {
    const columns = last === undefined ? this.#statements.lastTerm.get(name, row.token) : undefined;
    const before = columns === undefined ? last : storedTerm(columns);
    const { token, holder, nonce, startMs, claimedUntilMs } = startTerm(name, row, now, before);
    this.#statements.addTerm.run(name, token, holder, nonce, startMs, null, null, claimedUntilMs, null);
    const tooMany = terms + 1 - this.#keepTerms;
    if (tooMany > 0) this.#statements.dropTerms.run(name, name, tooMany);
  }
}

/** Only the version and the end of the lease differ, and nobody asks the holder to hand over. */
function isExtension(before: LeaseRow, after: LeaseRow): boolean {
  return (
    after.holder !== null &&
    after.holder === before.holder &&
    after.token === before.token &&
    after.cooldownMs === before.cooldownMs &&
    after.successor === before.successor &&
    after.transferTo === null &&
    after.challenger === null &&
    after.updates === before.updates
  );
}

const TEXTS = {
  beginRead: 'BEGIN',
  beginWrite: 'BEGIN IMMEDIATE',
  commit: 'COMMIT',
  rollback: 'ROLLBACK',
  getPastToken: 'SELECT past_token FROM hustings_layout',
  raisePastToken: 'UPDATE hustings_layout SET past_token = ? WHERE past_token < ?',
  lastChange: `SELECT max(past_change, coalesce((SELECT max(change) FROM hustings_lease), 0)) AS change
    FROM hustings_layout`,
  raisePastChange: 'UPDATE hustings_layout SET past_change = ? WHERE past_change < ?',
  changedSince: 'SELECT name, change FROM hustings_lease WHERE change > ?',
  getLease: `SELECT ${READ_LEASE} FROM hustings_lease WHERE name = ?`,
  listIdle: `SELECT ${READ_LEASE} FROM hustings_lease WHERE written_wall_ms <= ? ORDER BY name`,
  putLease: `INSERT INTO hustings_lease (${LEASE_COLUMNS}) VALUES (${places(LEASE_COLUMNS)})
    ON CONFLICT (name) DO UPDATE SET ${excluded(LEASE_COLUMNS)}`,
  extendAgain: `UPDATE hustings_lease
    SET version = ?, until_ms = ?, span_ms = ?, until_wall_ms = ?, written_wall_ms = ?
    WHERE name = ? AND token = ? AND version = ? AND evicted = 0 AND challenger IS NULL AND transfer_to IS NULL`,
  listNames: 'SELECT name FROM hustings_lease ORDER BY name',
  getTerm: `SELECT ${TERM_COLUMNS} FROM hustings_term WHERE name = ? AND token = ?`,
  lastTerm: `SELECT ${TERM_COLUMNS} FROM hustings_term WHERE name = ? AND token < ? ORDER BY token DESC LIMIT 1`,
  listTerms: `SELECT ${TERM_COLUMNS} FROM hustings_term WHERE name = ? ORDER BY token DESC LIMIT ?`,
  listTermsAt: `SELECT ${TERM_COLUMNS} FROM hustings_term WHERE name = ? AND start_ms <= ? AND (end_ms IS NULL OR end_ms > ?) ORDER BY token DESC LIMIT 2`,
  addTerm: `INSERT INTO hustings_term (${TERM_COLUMNS}) VALUES (${places(TERM_COLUMNS)})`,
  endTerm:
    'UPDATE hustings_term SET end_ms = ?, cause = ?, claimed_until_ms = ?, metadata = ? WHERE name = ? AND token = ?',
  dropTerms: `DELETE FROM hustings_term WHERE name = ? AND token IN
    (SELECT token FROM hustings_term WHERE name = ? ORDER BY token LIMIT ?)`,
  deleteLease: 'DELETE FROM hustings_lease WHERE name = ?',
  deleteTerms: 'DELETE FROM hustings_term WHERE name = ?',
  deleteCandidates: 'DELETE FROM hustings_candidate WHERE name = ?',
  getObservation:
    'SELECT since_ms FROM hustings_observation WHERE name = ? AND boot = ? AND version = ? AND since_ms <= ?',
  putObservation: `INSERT INTO hustings_observation (name, boot, version, since_ms)
    SELECT name, ?, version, ? FROM hustings_lease WHERE name = ? AND boot <> ?
    ON CONFLICT (name, boot) DO UPDATE SET version = excluded.version, since_ms = excluded.since_ms
    WHERE version <> excluded.version OR since_ms > excluded.since_ms RETURNING 1`,
  dropObservations: `DELETE FROM hustings_observation WHERE name = ? AND version <>
    (SELECT version FROM hustings_lease WHERE name = ?)`,
  deleteObservations: 'DELETE FROM hustings_observation WHERE name = ?',
  deleteTicks: 'DELETE FROM hustings_tick WHERE name = ?',
  sqliteVersion: 'SELECT sqlite_version() AS version',
};
