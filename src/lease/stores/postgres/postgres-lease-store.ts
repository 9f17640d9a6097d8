/**
 * Leases in PostgreSQL 12 or later, on the server's clock. Every request is one autocommit statement that locks its rows
 * (postgres-statements.ts). Nothing is kept in a session, so restarts, broken connections and poolers cost only time.
 *
 * The rules are statements, not functions in the database: every fix of a function would have to be installed in each
 * database by an administrator.
 *
 * The server's clock is its wall clock. If it is set forward, leases end early and a takeover may come before the holder has
 * stopped. Let NTP slew the clock instead of stepping it.
 */
import { InputError } from '../../../errors/hustings-error.ts';
import type {
  AcquireAnswer,
  AcquireRequest,
  ReleaseAnswer,
  ReleaseRequest,
  RenewAnswer,
  RenewRequest,
  TransferAnswer,
} from '../../core/calls.ts';
import type { LeaseRecord, WaitingCandidate } from '../../core/lease-record.ts';
import type { EndTickRequest, StartTickAnswer, StartTickRequest, Tick, TickQuery } from '../../core/tick.ts';
import { withTokenText } from '../../core/token-text.ts';
import {
  type Capabilities,
  DEFAULT_KEEP_TERMS,
  type HistoryQuery,
  type InitOptions,
  type LeaseStore,
  type Probe,
  type StoreOptions,
  type Term,
} from '../../lease-store.ts';
import { PartialAnswerError, StoreError } from '../../store-error.ts';
import {
  type Connect,
  loadPostgres,
  type PostgresAddress,
  type PostgresRow,
  postgresAddress,
} from './postgres-client.ts';
import { PostgresConnections } from './postgres-connections.ts';
import { PostgresListener } from './postgres-listener.ts';
import { PostgresPreparation } from './postgres-preparation.ts';
import { probePostgres } from './postgres-probe.ts';
import {
  acquireAnswer,
  candidateFrom,
  recordFrom,
  renewAnswer,
  startTickAnswer,
  termFrom,
  tickFrom,
} from './postgres-rows.ts';
import { NOTIFY } from './postgres-sql.ts';
import { type PostgresStatements, postgresStatements } from './postgres-statements.ts';
import { type PostgresTables, postgresTables } from './postgres-tables.ts';

/** The options of `PostgresLeaseStore.open`. */
export interface PostgresStoreOptions extends StoreOptions {
  /** The schema of the tables, `public` by default; also `?schema=` in the URL. */
  readonly schema?: string;
  /** The timeout of a connection and of a statement, 3,000 by default. Requests with a short TTL have a shorter one. */
  readonly timeoutMs?: number;
  /** The largest number of connections, beside the one for notifications; 2 by default. */
  readonly connections?: number;
}

const DEFAULT_TIMEOUT_MS = 3_000;

/** Leaves room for larger tokens in a bigint of PostgreSQL. */
const MOST_TOKEN_FROM = 2n ** 62n;

/** A call times out after one TTL, when its answer is of no use, but not before this time. */
const SHORTEST_TIMEOUT_MS = 1_000;

/** Pauses before a locked row is tried again. */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;
/** The part of the timeout for which the items of a list wait together for a locked row. */
const BRIEF = 20;

/** A store in PostgreSQL. */
export class PostgresLeaseStore implements LeaseStore {
  readonly label: string;
  readonly capabilities: Capabilities = {
    clock: true,
    linearizable: true,
    survivesCrash: true,
    survivesFailover: false,
    push: true,
    audit: true,
    caveats: [
      'A failover to an asynchronous replica can forget the last grants: then two candidates lead until the forgotten lease ends.',
      "Leases end on the server's wall clock: if it is set forward, they end early.",
      "After a failover, a restored backup or a deleted row, tokens increase only if the server's clock is not behind the last grant.",
    ],
  };
  readonly #timeoutMs: number;
  readonly #keepTerms: number;
  readonly #tables: PostgresTables;
  readonly #statements: PostgresStatements;
  readonly #connections: PostgresConnections;
  readonly #listener: PostgresListener;
  readonly #preparation: PostgresPreparation;

  private constructor(address: PostgresAddress, connect: Connect, options: PostgresStoreOptions) {
    this.label = address.label;
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#keepTerms = options.keepTerms ?? DEFAULT_KEEP_TERMS;
    this.#tables = postgresTables(options.schema ?? address.schema);
    this.#statements = postgresStatements(this.#tables);
    this.#preparation = new PostgresPreparation(address, this.#tables);
    this.#connections = new PostgresConnections(connect, {
      address,
      most: options.connections ?? 2,
    });
    this.#listener = new PostgresListener({
      make: connect,
      connect: (client) => this.#connections.connectListener(client, this.#timeoutMs),
      send: (channel, text) =>
        this.#connections.use(
          async (client) => void (await client.query({ text: NOTIFY, values: [channel, text] })),
          this.#timeoutMs,
        ),
    });
  }

  /** Connects with the first call, not here. */
  static async open(url: string, options: PostgresStoreOptions = {}): Promise<PostgresLeaseStore> {
    const { keepTerms, timeoutMs, connections } = options;
    for (const [option, value] of Object.entries({ keepTerms, timeoutMs, connections })) {
      if (value === undefined || (Number.isSafeInteger(value) && value > 0)) continue;
      throw new InputError(`${option} must be a whole number from 1, not ${value}`);
    }
    const address = postgresAddress(url);
    const connect = await loadPostgres(address, timeoutMs ?? DEFAULT_TIMEOUT_MS);
    return new PostgresLeaseStore(address, connect, options);
  }

  async acquire(requests: readonly AcquireRequest[]): Promise<readonly AcquireAnswer[]> {
    return this.#inRounds(requests, this.#timeoutOf(requests), async (round, timeoutMs) => {
      const rows = await this.#list(this.#statements.acquire, timeoutMs, [
        round.map(({ name }) => name),
        round.map(({ id }) => id),
        round.map(({ nonce }) => nonce),
        round.map(({ ttlMs }) => ttlMs),
        round.map(({ priority }) => priority),
        round.map(({ processProof }) => processProof),
        round.map(({ goneNonce }) => goneNonce),
        round.map(({ staleVersion }) => (staleVersion === null ? null : bigintText(staleVersion))),
        round.map(({ holdAtLeastMs }) => holdAtLeastMs),
        round.map(({ registerMs }) => registerMs),
        this.#keepTerms,
      ]);
      return round.map(({ name }, index) => {
        const row = rows.get(index);
        return row === undefined ? undefined : acquireAnswer(name, row);
      });
    });
  }

  async renew(renewals: readonly RenewRequest[]): Promise<readonly RenewAnswer[]> {
    const allMs = this.#timeoutOf(renewals);
    if (renewals.length === 1) {
      const [{ name, nonce, token, ttlMs }] = renewals;
      const values = [name, nonce, bigintText(token), ttlMs];
      const row = (await this.#list(this.#statements.renewOne, allMs, values)).get(0);
      if (row !== undefined) return [renewAnswer(row)];
    }
    return this.#inRounds(renewals, allMs, async (round, timeoutMs) => {
      const rows = await this.#found(this.#statements.renew, timeoutMs, [
        round.map(({ name }) => name),
        round.map(({ nonce }) => nonce),
        round.map(({ token }) => bigintText(token)),
        round.map(({ ttlMs }) => ttlMs),
      ]);
      return rows.map((row) => row && renewAnswer(row));
    });
  }

  async release(releases: readonly ReleaseRequest[]): Promise<readonly ReleaseAnswer[]> {
    return this.#inRounds(releases, this.#timeoutMs, async (round, timeoutMs) => {
      const rows = await this.#found(this.#statements.release, timeoutMs, [
        round.map(({ name }) => name),
        round.map(({ nonce }) => nonce),
        round.map(({ token }) => bigintText(token)),
        round.map(({ reason }) => reason),
        round.map(({ successor }) => successor),
        round.map(({ reserveMs }) => reserveMs),
      ]);
      return rows.map(
        (row): ReleaseAnswer | undefined => row && { type: row.is_mine === 't' ? 'ok' : 'lost' },
      );
    });
  }

  async read(names: readonly string[]): Promise<readonly LeaseRecord[]> {
    if (names.length === 0) return [];
    const rows = byPlace(await this.#run(this.#statements.read, [names]));
    return names.map((name, index) => {
      const row = rows.get(index)!;
      if (row.is_standby === 't') throw this.#standby();
      return withTokenText(recordFrom(name, row));
    });
  }

  watch(name: string, onNotification: () => void): () => void {
    return this.#listener.watch(name, onNotification);
  }

  /** True while notifications arrive: a probe has come through the connection that listens. */
  isPushing(): boolean {
    return this.#listener.isPushing;
  }

  async candidates(name: string): Promise<readonly WaitingCandidate[]> {
    return (await this.#run(this.#statements.candidates, [name])).map(candidateFrom);
  }

  async evict(name: string, standBackMs?: number): Promise<boolean> {
    return (await this.#one(this.#statements.evict, name, [[standBackMs ?? null]])).is_held === 't';
  }

  async requestTransfer(name: string, to: string): Promise<TransferAnswer> {
    const { answer } = await this.#one(this.#statements.requestTransfer, name, [[to]]);
    return (answer as TransferAnswer | undefined) ?? 'not-held';
  }

  async time(): Promise<number> {
    return Number((await this.#run(this.#statements.time, []))[0].now_ms);
  }

  async startTick({
    name,
    nonce,
    token,
    tickMs,
    missedMs,
    retry,
  }: StartTickRequest): Promise<StartTickAnswer> {
    const missed = missedMs.slice(-this.#keepTerms);
    const values = [[nonce], [bigintText(token)], missed, tickMs, retry, this.#keepTerms];
    return startTickAnswer(await this.#one(this.#statements.startTick, name, values));
  }

  async endTick({ name, token, tickMs, state }: EndTickRequest): Promise<boolean> {
    const values = [[bigintText(token)], [tickMs], [state]];
    return (await this.#one(this.#statements.endTick, name, values)).is_ended === 't';
  }

  async ticks(name: string, { limit }: TickQuery = {}): Promise<readonly Tick[]> {
    return (await this.#run(this.#statements.ticks, [name, limit ?? null])).map((row) =>
      withTokenText(tickFrom(row)),
    );
  }

  async history(name: string, { atMs, limit }: HistoryQuery = {}): Promise<readonly Term[]> {
    const most = atMs === undefined ? limit : Math.min(1, limit ?? 1);
    const when = atMs === undefined ? null : Math.floor(atMs);
    return (await this.#run(this.#statements.history, [name, when, most ?? null])).map((row) =>
      withTokenText(termFrom(row)),
    );
  }

  async names(): Promise<readonly string[]> {
    return (await this.#run(this.#statements.names, [])).map(({ name }) => name!);
  }

  async init({ tokenFrom }: InitOptions = {}): Promise<void> {
    if (tokenFrom !== undefined && (tokenFrom < 0n || tokenFrom > MOST_TOKEN_FROM)) {
      throw new InputError(`tokenFrom must be from 0 to ${MOST_TOKEN_FROM}, not ${tokenFrom}`);
    }
    await this.#connections.use((client) => this.#preparation.make(client), this.#timeoutMs);
    if (tokenFrom !== undefined)
      await this.#list(this.#statements.raiseToken, this.#timeoutMs, [`${tokenFrom}`]);
  }

  async prune(idleMs: number): Promise<readonly string[]> {
    const values = [`${Math.ceil(this.#timeoutMs / 2)}`, Math.ceil(idleMs)];
    return (await this.#run(this.#statements.prune, values)).map(({ name }) => name!);
  }

  initStatements(): readonly string[] {
    return this.#preparation.statements();
  }

  async probe(): Promise<Probe> {
    return this.#connections.use((client) => probePostgres(client, this.#tables), this.#timeoutMs);
  }

  async close(): Promise<void> {
    this.#listener.close();
    await this.#connections.close();
  }

  #timeoutOf(items: readonly { readonly ttlMs: number }[]): number {
    const shortestMs = items.reduce((least, { ttlMs }) => Math.min(least, ttlMs), this.#timeoutMs);
    return Math.min(this.#timeoutMs, Math.max(shortestMs, SHORTEST_TIMEOUT_MS));
  }

  /** Runs a statement for one election. An empty row if the election is unknown. */
  async #one(text: string, name: string, values: readonly unknown[]): Promise<PostgresRow> {
    const [row] = await this.#inRounds([{ name }], this.#timeoutMs, (_, timeoutMs) =>
      this.#found(text, timeoutMs, [[name], ...values]),
    );
    return row;
  }

  /**
   * The items of one statement must have different names. An item without an answer, because another session has locked its
   * row, goes into the next round. If others have been answered, they do not wait long for it.
   */
  async #inRounds<Item extends { readonly name: string }, Answer>(
    items: readonly Item[],
    timeoutMs: number,
    run: (round: readonly Item[], timeoutMs: number) => Promise<readonly (Answer | undefined)[]>,
  ): Promise<readonly Answer[]> {
    const answers = new Map<number, Answer>();
    const endMs = performance.now() + timeoutMs;
    let skippedAtMs = Number.NaN;
    let pauseMs = FIRST_PAUSE_MS;
    for (let rest = items.map((_, index) => index); rest.length > 0; ) {
      const names = new Set<string>();
      const round = rest.filter((index) => names.size < names.add(items[index].name).size);
      try {
        const leftMs = Math.max(1, Math.ceil(endMs - performance.now()));
        const given = await run(
          round.map((index) => items[index]),
          leftMs,
        );
        round.forEach((index, place) => {
          const answer = given[place];
          if (answer !== undefined) answers.set(index, answer);
        });
        rest = rest.filter((index) => !answers.has(index));
        const skipped = round.find((index) => !answers.has(index));
        if (skipped === undefined) continue;
        const nowMs = performance.now();
        if (Number.isNaN(skippedAtMs)) skippedAtMs = nowMs;
        const mostMs = timeoutMs / (answers.size === 0 ? 2 : BRIEF);
        if (nowMs - skippedAtMs + pauseMs > mostMs) throw this.#locked(items[skipped].name);
      } catch (error) {
        if (answers.size === 0 || !(error instanceof StoreError)) throw error;
        throw new PartialAnswerError(
          error,
          items.map((_, index) => answers.get(index)),
        );
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
    }
    return items.map((_, index) => answers.get(index)!);
  }

  /** Runs a statement over a list: its rows by their index in the list. */
  async #list(
    text: string,
    timeoutMs: number,
    values: readonly unknown[],
  ): Promise<Map<number, PostgresRow>> {
    // The lock timeout of the server comes first: then nothing was written, and the connection stays usable.
    return byPlace(await this.#run(text, [`${Math.ceil(timeoutMs / 2)}`, ...values], timeoutMs));
  }

  /** The row of each item: an empty one if the election is unknown, undefined if its row was locked. */
  async #found(
    text: string,
    timeoutMs: number,
    values: readonly [names: readonly string[], ...unknown[]],
  ): Promise<readonly (PostgresRow | undefined)[]> {
    const [names] = values;
    const rows = await this.#list(text, timeoutMs, values);
    const absent = names.filter((_, index) => !rows.has(index));
    if (absent.length > 0) {
      const known = new Set(
        (await this.#run(this.#statements.read, [absent], timeoutMs)).map(({ name }) => name),
      );
      names.forEach((name, index) => {
        if (!rows.has(index) && !known.has(name)) rows.set(index, {});
      });
    }
    return names.map((_, index) => rows.get(index));
  }

  #locked(name: string): StoreError {
    const text = `another session locks the row of ${JSON.stringify(name)} in the lease table; see pg_locks`;
    return new StoreError('busy', `${this.label}: ${text}`);
  }

  #run(
    text: string,
    values: readonly unknown[],
    timeoutMs = this.#timeoutMs,
  ): Promise<readonly PostgresRow[]> {
    return this.#connections.use(async (client) => {
      await this.#preparation.ensure(client);
      return (await client.query({ text, values })).rows;
    }, timeoutMs);
  }

  #standby(): StoreError {
    return new StoreError(
      'busy',
      `${this.label} is a standby, which may answer with old data; name the primary in the URL`,
    );
  }
}

/** A token or version that PostgreSQL's bigint cannot hold matches no row, like −1. */
function bigintText(value: bigint): string {
  return value === BigInt.asIntN(64, value) ? `${value}` : '-1';
}

function byPlace(rows: readonly PostgresRow[]): Map<number, PostgresRow> {
  return new Map(rows.map((row) => [Number(row.n) - 1, row]));
}
