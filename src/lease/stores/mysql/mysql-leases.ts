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
import { type Applied, EMPTY_ROW, type LeaseRow } from '../../core/lease-row.ts';
import { endTerm } from '../term-keeping.ts';
import type { MysqlCalls } from './mysql-calls.ts';
import type { MysqlResult, MysqlRow } from './mysql-client.ts';
import { LEASE_COLUMNS, leaseAssignments, runningTerm, type StoredLease, storedLease } from './mysql-row.ts';
import { listOf, literal, NOW_MS, NOW_US } from './mysql-sql.ts';

/** What the first packet found. */
export interface Look {
  readonly nowMs: number;
  /** No smaller token may be given now. */
  readonly leastToken: bigint;
  readonly leases: ReadonlyMap<string, StoredLease>;
  /** The rows of the further statements. They were read after the leases, and before the clock. */
  readonly more: readonly (readonly MysqlRow[])[];
}

/** What a rule makes of a lease. */
export interface Change<Answer> extends Applied<Answer> {
  /** Statements of the same transaction. Each has an effect only if `isWritten`, a condition, holds. */
  more?(isWritten: string): readonly string[];
}

export interface ChangeItem<Answer> {
  readonly name: string;
  rule(row: LeaseRow, look: Look): Change<Answer>;
}

/** An answer; `token` is the one that was granted, if this was a grant. Undefined: the lease has changed, or is locked. */
export type Changed<Answer> = { readonly answer: Answer; readonly token: bigint } | undefined;

const readLeases = (names: readonly string[]): string =>
  `SELECT ${LEASE_COLUMNS} FROM hustings_lease WHERE name IN (${listOf(names)})`;

const READ_CLOCK = `SELECT ${NOW_US} AS now_us, COALESCE(MAX(past_token), 0) AS past_token, @@global.read_only AS read_only
  FROM hustings_layout`;

const isRowOf = (name: string, stamp: bigint): string =>
  `name = ${literal(name)} AND stamp = ${literal(stamp)}`;

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
      leastToken: nowUs > pastToken ? nowUs : pastToken + 1n,
      leases: new Map(results[0].rows.map((columns) => [columns.name!, storedLease(columns)])),
      more: results.slice(1, -1).map(({ rows }) => rows),
    };
  }

  /**
   * Applies a rule to each lease. `further` are statements after the transaction, each a transaction of its own. The names of
   * the items differ.
   */
  async change<Answer>(
    items: readonly ChangeItem<Answer>[],
    look: Look,
    timeoutMs?: number,
    further: readonly string[] = [],
  ): Promise<readonly Changed<Answer>[]> {
    const stamp = newStamp();
    const planned = items.map(({ name, rule }) => {
      const stored = look.leases.get(name);
      const before = stored?.row ?? EMPTY_ROW;
      const change = rule(before, look);
      return { name, stored, before, change, isWrite: change.row !== before || change.more !== undefined };
    });
    const writes = planned.filter(({ isWrite }) => isWrite).sort(byBytes);
    const written = new Map<string, bigint>();
    if (writes.length + further.length > 0) {
      const isNew = writes.some(({ stored }) => stored === undefined);
      const transaction = [
        'START TRANSACTION',
        ...(isNew ? ['SELECT past_token FROM hustings_layout LOCK IN SHARE MODE'] : []),
        ...writes.flatMap(({ name, stored, change }) => this.#write(name, stored, change, stamp, look)),
        `SELECT name, token FROM hustings_lease WHERE name IN (${listOf(writes.map(({ name }) => name))}) AND stamp = ${literal(stamp)}`,
      ];
      const statements = [...(writes.length === 0 ? [] : [...transaction, 'COMMIT']), ...further];
      const results = await this.#calls.tryWrite(statements, timeoutMs);
      if (results === null) return items.map(() => undefined);
      const found = writes.length === 0 ? [] : results[transaction.length - 1].rows;
      for (const { name, token } of found) written.set(name!, BigInt(token!));
    }
    return planned.map(({ name, before, change: { answer }, isWrite }) => {
      if (!isWrite) return { answer, token: before.token };
      const token = written.get(name);
      return token === undefined ? undefined : { answer, token };
    });
  }

  #write<Answer>(
    name: string,
    stored: StoredLease | undefined,
    { row, ended, more }: Change<Answer>,
    stamp: bigint,
    { nowMs }: Look,
  ): string[] {
    const now = { monoMs: nowMs, wallMs: nowMs };
    const running = stored && runningTerm(name, stored);
    const endedTerm = ended === null || running === undefined ? null : endTerm(running, ended, now);
    const isGrant = row.token > (stored?.row.token ?? 0n);
    const terms = (stored?.terms ?? 0) + (isGrant ? 1 : 0);
    const startMs = Math.max(stored?.startMs ?? 0, endedTerm?.endMs ?? 0, isGrant ? nowMs : 0);
    const token = isGrant
      ? `GREATEST(${literal(row.token)}, ${NOW_US}, (SELECT COALESCE(MAX(past_token), 0) + 1 FROM hustings_layout))`
      : literal(row.token);
    const assignments = leaseAssignments({ row, stamp, startMs, terms }, token);
    const isWritten = `EXISTS (SELECT 1 FROM hustings_lease AS l WHERE l.${isRowOf(name, stamp)})`;
    return [
      stored === undefined ? insertLease(name, assignments) : updateLease(name, stored, assignments, nowMs),
      ...(endedTerm === null
        ? []
        : [
            `INSERT INTO hustings_term (name, token, number, holder, nonce, start_ms, end_ms, cause, claimed_until_ms)
  SELECT ${listOf([name, endedTerm.token, stored!.terms, endedTerm.holder, endedTerm.nonce])},
    ${listOf([endedTerm.startMs, endedTerm.endMs, endedTerm.cause, endedTerm.claimedUntilMs])}
  FROM hustings_lease AS l WHERE l.${isRowOf(name, stamp)}
  ON DUPLICATE KEY UPDATE number = hustings_term.number`,
          ]),
      ...(isGrant && terms > this.#keepTerms ? [trimTerms(name, terms - this.#keepTerms, isWritten)] : []),
      ...(more?.(isWritten) ?? []),
    ];
  }
}

/** The statements of a look: the leases, `more`, and the clock. */
export const lookStatements = (names: readonly string[], more: readonly string[] = []): readonly string[] => [
  readLeases(names),
  ...more,
  READ_CLOCK,
];

function insertLease(name: string, assignments: readonly (readonly [string, string])[]): string {
  const fields = assignments.map(([field]) => field).join(', ');
  const values = assignments.map(([, value]) => value).join(', ');
  // Not IGNORE, which would cut a text that is too long.
  return `INSERT INTO hustings_lease (name, ${fields}) VALUES (${literal(name)}, ${values})
  ON DUPLICATE KEY UPDATE name = hustings_lease.name`;
}

/** LIMIT makes the server lock the lease before it judges anything else. */
function updateLease(
  name: string,
  { row, stamp }: StoredLease,
  assignments: readonly (readonly [string, string])[],
  nowMs: number,
): string {
  return `UPDATE hustings_lease AS l JOIN (
    SELECT k.name FROM hustings_lease AS k WHERE k.${isRowOf(name, stamp)} LIMIT 1 FOR UPDATE SKIP LOCKED
  ) AS locked ON l.name = locked.name
  SET ${assignments.map(([field, value]) => `l.${field} = ${value}`).join(', ')}
  WHERE ${row.untilMs > nowMs ? `l.until_ms > ${NOW_MS}` : '1 = 1'}`;
}

/** At most ten old terms are deleted at a time. */
const trimTerms = (name: string, mostNumber: number, isWritten: string): string =>
  `DELETE t FROM hustings_term AS t JOIN (
    SELECT o.token, o.start_ms, o.number FROM hustings_term AS o WHERE o.name = ${literal(name)} ORDER BY o.token LIMIT 10
  ) AS old ON t.token = old.token AND t.start_ms = old.start_ms
  WHERE t.name = ${literal(name)} AND old.number <= ${mostNumber} AND ${isWritten}`;
