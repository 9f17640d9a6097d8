/**
 * The leases, in the rules of core/lease-row.ts. Neither server returns the rows that an UPDATE wrote, so a change takes two
 * packets. The first one looks: it reads the leases, then the clock, without a lock. The rule is applied here. The second
 * one is a transaction that writes each lease whose stamp is still the one that was seen, with the term that ended, and tells
 * which leases it has written. The others are looked at again. A transaction is one packet, so that no process that is stopped
 * holds a lock.
 *
 * The rules of every write:
 * 1. The clock is read after the lease. So what has expired was not renewed before the clock was read.
 * 2. A lease that had not expired when it was looked at has not expired when it is written, by the clock under the lock.
 * 3. A new token is computed under the lock: greater than the last one, than all that the store has forgotten on purpose, and
 *    not behind the clock. A new lease is inserted under a shared lock of the layout, which `prune` locks before it forgets.
 * 4. No write waits for the lock of a lease: SKIP LOCKED. Leases are locked in the order of their names, after the layout: two
 *    lists never deadlock.
 */
import { randomBytes } from 'node:crypto';
import { EMPTY_ROW, type LeaseRow } from '../../core/lease-row.ts';
import type { HistoryQuery, Term } from '../../lease-store.ts';
import { selectTerms, shownTerm } from '../term-keeping.ts';
import type { MysqlCalls } from './mysql-calls.ts';
import type { MysqlResult, MysqlRow } from './mysql-client.ts';
import {
  LEASE_COLUMNS,
  type MysqlLease,
  runningTerm,
  storedLease,
  storedTerm,
  TERM_COLUMNS,
} from './mysql-row.ts';
import { listOf, literal, NOW_US } from './mysql-sql.ts';
import { type LeaseChange, writeTransaction } from './mysql-writes.ts';

/** What the first packet found. */
export interface Look {
  readonly nowMs: number;
  /** No smaller token may be given now. */
  readonly minToken: bigint;
  readonly leases: ReadonlyMap<string, MysqlLease>;
  /** The rows of the further statements. They were read after the leases, and before the clock. */
  readonly more: readonly (readonly MysqlRow[])[];
}

export interface ChangeItem<Answer> {
  readonly name: string;
  rule(row: LeaseRow, look: Look): LeaseChange<Answer>;
}

/** An answer; `token` is the one that was granted, if this was a grant. Undefined: the lease has changed, or is locked. */
export type Changed<Answer> = { readonly answer: Answer; readonly token: bigint } | undefined;

const readLeases = (names: readonly string[]): string =>
  `SELECT ${LEASE_COLUMNS} FROM hustings_lease WHERE name IN (${listOf(names)})`;

// No aggregate in this SELECT: MariaDB 10.11 then gives 0 for a system variable.
const READ_CLOCK = `SELECT ${NOW_US} AS now_us, @@global.read_only AS read_only,
  (SELECT COALESCE(MAX(past_token), 0) FROM hustings_layout) AS past_token`;

/** A number that no other write has. */
export const newStamp = (): bigint => randomBytes(8).readBigUInt64BE() >> 1n;

const byBytes = (a: { readonly name: string }, b: { readonly name: string }): number =>
  Buffer.compare(Buffer.from(a.name), Buffer.from(b.name));

export class MysqlLeases {
  readonly #calls: MysqlCalls;
  readonly #keepTerms: number;

  constructor(calls: MysqlCalls, keepTerms: number) {
    this.#calls = calls;
    this.#keepTerms = keepTerms;
  }

  async look(names: readonly string[], more: readonly string[] = [], timeoutMs?: number): Promise<Look> {
    const results = await this.#calls.run(lookStatements(names, more), timeoutMs);
    return this.lookFrom(results);
  }

  lookFrom(results: readonly MysqlResult[]): Look {
    const [clock] = results.at(-1)!.rows;
    this.#calls.checkWritable(clock.read_only!);
    const nowUs = BigInt(clock.now_us!);
    const pastToken = BigInt(clock.past_token!);
    return {
      nowMs: Math.floor(Number(nowUs) / 1_000),
      minToken: nowUs > pastToken ? nowUs : pastToken + 1n,
      leases: new Map(results[0].rows.map((columns) => [columns.name!, storedLease(columns)])),
      more: results.slice(1, -1).map(({ rows }) => rows),
    };
  }

  /**
   * Applies a rule to each lease. `isWhole`: all are written, or none. `further` are statements after the transaction, each a transaction of its own. The names of
   * the items differ.
   */
  async change<Answer>(
    items: readonly ChangeItem<Answer>[],
    look: Look,
    timeoutMs?: number,
    further: readonly string[] = [],
    isWhole = false,
  ): Promise<readonly Changed<Answer>[]> {
    const stamp = newStamp();
    const planned = items.map(({ name, rule }) => {
      const stored = look.leases.get(name);
      const before = stored?.row ?? EMPTY_ROW;
      const change = rule(before, look);
      const isWrite = change.row !== before || change.more !== undefined;
      return { answer: change.answer, token: before.token, isWrite, write: { name, stored, change } };
    });
    const writes = planned.filter(({ isWrite }) => isWrite).map(({ write }) => write);
    const transaction =
      writes.length === 0
        ? []
        : writeTransaction(writes.sort(byBytes), stamp, look.nowMs, this.#keepTerms, isWhole);
    const written = new Map<string, bigint>();
    if (transaction.length + further.length > 0) {
      const results = await this.#calls.tryWrite([...transaction, ...further], timeoutMs);
      if (results === null) return items.map(() => undefined);
      const found = results[transaction.length - 2]?.rows ?? [];
      for (const { name, token } of found) written.set(name!, BigInt(token!));
    }
    return planned.map(({ answer, token, isWrite, write: { name } }) => {
      const granted = isWrite ? written.get(name) : token;
      return granted === undefined ? undefined : { answer, token: granted };
    });
  }

  /** The running term is in the lease. */
  async history(name: string, query: HistoryQuery = {}): Promise<readonly Term[]> {
    const { atMs, limit } = query;
    const at = atMs === undefined ? '' : `AND start_ms <= ${literal(atMs)} AND end_ms > ${literal(atMs)}`;
    const statement = `SELECT ${TERM_COLUMNS} FROM hustings_term WHERE name = ${literal(name)} ${at}
  ORDER BY token DESC, start_ms DESC ${limit === undefined ? '' : `LIMIT ${literal(limit)}`}`;
    const { leases: found, nowMs, more } = await this.look([name], [statement]);
    const stored = found.get(name);
    const running = stored && runningTerm(name, stored);
    const ended = more[0].map(storedTerm);
    // The running term may have ended after the lease was read.
    const isListed = ended.some(
      ({ token, startMs }) => token === running?.token && startMs === running.startMs,
    );
    if (stored === undefined || running === undefined || isListed) return selectTerms(ended, query);
    const shown = shownTerm(running, stored.row, { monoMs: nowMs, wallMs: nowMs });
    return selectTerms([shown, ...ended], query);
  }
}

/** The statements of a look: the leases, `more`, and the clock. */
export const lookStatements = (names: readonly string[], more: readonly string[] = []): readonly string[] => [
  readLeases(names),
  ...more,
  READ_CLOCK,
];
