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
import { checkWhole, InputError } from '@hustings/base';
import { DEFAULT_KEEP_TERMS } from '../../lease-store.ts';
import type * as Store from '../../store-interface.ts';
import type { JoinedRounds } from '../joined-rounds.ts';
import { timeoutOf } from '../rounds.ts';
import type { PostgresSource } from './clients/postgres-existing.ts';
import { openSource } from './clients/postgres-source.ts';
import { wasInserted } from './postgres-acquire.ts';
import { byPlace, PostgresCalls } from './postgres-calls.ts';
import type { Connect, PostgresAddress } from './postgres-client.ts';
import { type PostgresConnections, postgresConnections } from './postgres-connections.ts';
import { PostgresListener } from './postgres-listener.ts';
import { PostgresPreparation } from './postgres-preparation.ts';
import { probePostgres } from './postgres-probe.ts';
import {
  acquireAnswer,
  candidateFrom,
  recordFrom,
  releaseAnswer,
  removedTicks,
  renewAnswer,
  startTickAnswer,
  termFrom,
  tickFrom,
} from './postgres-rows.ts';
import { NOTIFY } from './postgres-sql.ts';
import { type PostgresStatements, postgresStatements } from './postgres-statements.ts';
import { type PostgresTables, postgresTables } from './postgres-tables.ts';
import { acquireValues, bigintText, storedCheckpoint, updatesOf } from './postgres-values.ts';

/** The options of `PostgresLeaseStore.open`. */
export interface PostgresStoreOptions extends Store.StoreOptions {
  /** The schema of the tables, `public` by default; also `?schema=` in the URL. */
  readonly schema?: string;
  /** The timeout of a connection and of a statement, 3,000 by default. Requests with a short TTL have a shorter one. */
  readonly timeoutMs?: number;
  /** The largest number of connections, 2 by default. One more is for notifications, and one for renewals while the others are in use. */
  readonly connections?: number;
  /** Returns the login of each new connection, for passwords and tokens that change. Overrides the login of the URL or client. */
  readonly credentials?: () => Store.Credentials | Promise<Store.Credentials>;
}

const DEFAULT_TIMEOUT_MS = 3_000;

/** How many elections one statement deletes: its time is limited. */
const PRUNE_AT_ONCE = 1_000;

/** Leaves room for larger tokens in a bigint of PostgreSQL. */
const MAX_TOKEN_FROM = 2n ** 62n;

/** A store in PostgreSQL. */
export class PostgresLeaseStore implements Store.LeaseStore {
  readonly label: string;
  readonly capabilities: Store.Capabilities = {
    expiry: 'clock',
    linearizable: true,
    survivesCrash: true,
    survivesFailover: false,
    push: true,
    audit: true,
    transactions: true,
    tickClock: 'server',
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
  readonly #calls: PostgresCalls;
  readonly #acquires: JoinedRounds<Store.AcquireRequest, Store.AcquireAnswer>;
  /** Renewals and releases. They do not wait for a connection that waiting candidates occupy. */
  readonly #urgent: PostgresCalls;

  private constructor(address: PostgresAddress, connect: Connect, options: PostgresStoreOptions) {
    this.label = address.label;
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#keepTerms = options.keepTerms ?? DEFAULT_KEEP_TERMS;
    this.#tables = postgresTables(options.schema ?? address.schema);
    this.#statements = postgresStatements(this.#tables);
    this.#preparation = new PostgresPreparation(address, this.#tables);
    this.#connections = postgresConnections(connect, address, options.connections ?? 2);
    this.#acquires = this.#connections.joined((round, timeoutMs) => this.#acquire(round, timeoutMs));
    const calls = {
      label: address.label,
      timeoutMs: this.#timeoutMs,
      connections: this.#connections,
      preparation: this.#preparation,
      read: this.#statements.read,
    };
    this.#calls = new PostgresCalls({ ...calls, isUrgent: false });
    this.#urgent = new PostgresCalls({ ...calls, isUrgent: true });
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

  /**
   * Opens the store of a URL, or of the server of an existing client. The store makes its own connections with the
   * configuration of that client, and neither uses nor closes the client. Connects with the first call, not here.
   */
  static async open(
    source: string | PostgresSource,
    options: PostgresStoreOptions = {},
  ): Promise<PostgresLeaseStore> {
    const { keepTerms, timeoutMs, connections } = options;
    for (const [option, value] of Object.entries({ keepTerms, timeoutMs, connections })) {
      if (value !== undefined) checkWhole(option, value);
    }
    const { address, connect } = await openSource(source, {
      timeoutMs: timeoutMs ?? DEFAULT_TIMEOUT_MS,
      credentials: options.credentials,
    });
    return new PostgresLeaseStore(address, connect, options);
  }

  async acquire(requests: readonly Store.AcquireRequest[]): Promise<readonly Store.AcquireAnswer[]> {
    return this.#calls.inRounds(requests, timeoutOf(requests, this.#timeoutMs), (round, timeoutMs) =>
      this.#acquires.run(round, timeoutMs),
    );
  }

  async acquireAll(requests: readonly Store.AcquireRequest[]): Promise<readonly Store.AcquireAnswer[]> {
    return this.#calls.untilWhole(
      requests,
      timeoutOf(requests, this.#timeoutMs),
      async (round, timeoutMs) => {
        try {
          return await this.#acquire(round, timeoutMs, true);
        } catch (error) {
          if (!wasInserted(error)) throw error;
          return round.map(() => undefined);
        }
      },
    );
  }

  async #acquire(
    round: readonly Store.AcquireRequest[],
    timeoutMs: number,
    isAll = false,
  ): Promise<readonly (Store.AcquireAnswer | undefined)[]> {
    const { acquire, acquireInOrder, acquireAll } = this.#statements;
    const isFair = !isAll && round.some(({ fair }) => fair === true);
    const statement = isAll ? acquireAll : isFair ? acquireInOrder : acquire;
    const values = acquireValues(round, this.#keepTerms, isFair);
    const rows = await this.#calls.list(statement, timeoutMs, values);
    return round.map(({ name }, index) => {
      const row = rows.get(index);
      return row === undefined ? undefined : acquireAnswer(name, row);
    });
  }

  async renew(renewals: readonly Store.RenewRequest[]): Promise<readonly Store.RenewAnswer[]> {
    const allMs = timeoutOf(renewals, this.#timeoutMs);
    const hasUpdates = renewals.some(({ update }) => update !== undefined);
    if (renewals.length === 1 && !hasUpdates) {
      const [{ name, nonce, token, ttlMs }] = renewals;
      const values = [name, nonce, bigintText(token), ttlMs];
      const [row] = await this.#urgent.run(this.#statements.renewOne, values, allMs);
      if (row !== undefined) return [{ type: 'ok', transferTo: row.transfer_to, challenger: null }];
    }
    const known = new Set<string>();
    return this.#urgent.inRounds(renewals, allMs, async (round, timeoutMs) => {
      const values = [
        round.map(({ name }) => name),
        round.map(({ nonce }) => nonce),
        round.map(({ token }) => bigintText(token)),
        round.map(({ ttlMs }) => ttlMs),
        ...(hasUpdates ? updatesOf(round) : []),
      ] as const;
      const text = hasUpdates ? this.#statements.renewWithUpdates : this.#statements.renew;
      const rows = await this.#urgent.found(text, timeoutMs, values, known);
      return rows.map((row) => row && renewAnswer(row));
    });
  }

  async release(releases: readonly Store.ReleaseRequest[]): Promise<readonly Store.ReleaseAnswer[]> {
    const known = new Set<string>();
    return this.#urgent.inRounds(releases, this.#timeoutMs, async (round, timeoutMs) => {
      const values = [
        round.map(({ name }) => name),
        round.map(({ nonce }) => nonce),
        round.map(({ token }) => bigintText(token)),
        round.map(({ reason }) => reason),
        round.map(({ successor }) => successor),
        round.map(({ reserveMs }) => reserveMs),
        round.map(({ checkpoint }) => storedCheckpoint(checkpoint)),
      ] as const;
      const rows = await this.#urgent.found(this.#statements.release, timeoutMs, values, known);
      return rows.map((row) => row && releaseAnswer(row));
    });
  }

  async read(names: readonly string[]): Promise<readonly Store.LeaseRecord[]> {
    if (names.length === 0) return [];
    const rows = byPlace(await this.#calls.run(this.#statements.read, [names]));
    return names.map((name, index) => {
      const row = rows.get(index)!;
      if (row.is_standby === 't') throw this.#preparation.standby();
      return recordFrom(name, row);
    });
  }

  watch(name: string, onNotification: () => void): () => void {
    return this.#listener.watch(name, onNotification);
  }

  /** True while notifications arrive: a probe has come through the connection that listens. */
  isPushing(): boolean {
    return this.#listener.isPushing;
  }

  async withdraw(requests: readonly Store.WithdrawRequest[]): Promise<void> {
    const lists = [requests.map(({ name }) => name), requests.map(({ nonce }) => nonce)];
    await this.#calls.run(this.#statements.withdraw, [`${Math.ceil(this.#timeoutMs / 2)}`, ...lists]);
  }

  async candidates(name: string): Promise<readonly Store.WaitingCandidate[]> {
    return (await this.#calls.run(this.#statements.candidates, [name])).map(candidateFrom);
  }

  async evict(name: string, cooldownMs?: number): Promise<boolean> {
    return (await this.#calls.one(this.#statements.evict, name, [[cooldownMs ?? null]])).is_held === 't';
  }

  async requestTransfer(name: string, to: string): Promise<Store.TransferAnswer> {
    const { answer } = await this.#calls.one(this.#statements.requestTransfer, name, [[to]]);
    return (answer as Store.TransferAnswer | undefined) ?? 'not-held';
  }

  async time(): Promise<number> {
    return Number((await this.#calls.run(this.#statements.time, []))[0].now_ms);
  }

  async startTick(request: Store.StartTickRequest): Promise<Store.StartTickAnswer> {
    const { name, nonce, token, tickMs, missedMs, retry } = request;
    const missed = missedMs.slice(-this.#keepTerms);
    const values = [[nonce], [bigintText(token)], missed, tickMs, retry, this.#keepTerms];
    return startTickAnswer(await this.#calls.one(this.#statements.startTick, name, values));
  }

  async endTick({ name, token, tickMs, state }: Store.EndTickRequest): Promise<boolean> {
    const values = [[bigintText(token)], [tickMs], [state]];
    return (await this.#calls.one(this.#statements.endTick, name, values)).is_ended === 't';
  }

  async resetTicks(name: string): Promise<readonly Store.Tick[]> {
    return removedTicks(await this.#calls.one(this.#statements.resetTicks, name, []));
  }

  async ticks(name: string, { limit }: Store.TickQuery = {}): Promise<readonly Store.Tick[]> {
    return (await this.#calls.run(this.#statements.ticks, [name, limit ?? null])).map(tickFrom);
  }

  async history(name: string, { atMs, limit }: Store.HistoryQuery = {}): Promise<readonly Store.Term[]> {
    const most = atMs === undefined ? limit : Math.min(1, limit ?? 1);
    const when = atMs === undefined ? null : Math.floor(atMs);
    return (await this.#calls.run(this.#statements.history, [name, when, most ?? null])).map(termFrom);
  }

  async names(): Promise<readonly string[]> {
    return (await this.#calls.run(this.#statements.names, [])).map(({ name }) => name!);
  }

  async init({ tokenFrom }: Store.InitOptions = {}): Promise<void> {
    if (tokenFrom !== undefined && (tokenFrom < 0n || tokenFrom > MAX_TOKEN_FROM)) {
      throw new InputError(`tokenFrom must be from 0 to ${MAX_TOKEN_FROM}, not ${tokenFrom}`);
    }
    await this.#connections.use((client) => this.#preparation.make(client), this.#timeoutMs);
    if (tokenFrom !== undefined)
      await this.#calls.list(this.#statements.raiseToken, this.#timeoutMs, [`${tokenFrom}`]);
  }

  async prune(idleMs: number, { dryRun = false }: Store.PruneOptions = {}): Promise<readonly string[]> {
    const values = [`${Math.ceil(this.#timeoutMs / 2)}`, Math.ceil(idleMs)];
    if (dryRun) return (await this.#calls.run(this.#statements.idle, values)).map(({ name }) => name!);
    const names: string[] = [];
    for (let last = PRUNE_AT_ONCE; last === PRUNE_AT_ONCE; ) {
      const rows = await this.#calls.run(this.#statements.prune, [...values, PRUNE_AT_ONCE]);
      names.push(...rows.map(({ name }) => name!));
      last = rows.length;
    }
    return names;
  }

  initStatements(): readonly string[] {
    return this.#preparation.statements();
  }

  async probe(): Promise<Store.Probe> {
    return this.#connections.use((client) => probePostgres(client, this.#tables), this.#timeoutMs);
  }

  async close(): Promise<void> {
    this.#listener.close();
    await this.#connections.close();
  }
}
