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
} from '../../core/calls.ts';
import type { LeaseRecord } from '../../core/lease-record.ts';
import { withTokenText } from '../../core/token-text.ts';
import {
  type Capabilities,
  DEFAULT_KEEP_TERMS,
  type HistoryQuery,
  type LeaseStore,
  type Probe,
  type StoreOptions,
  type Term,
} from '../../lease-store.ts';
import { StoreError } from '../../store-error.ts';
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
import { acquireAnswer, recordFrom, renewAnswer, termFrom } from './postgres-rows.ts';
import { type PostgresStatements, postgresStatements } from './postgres-statements.ts';
import { type PostgresTables, postgresTables } from './postgres-tables.ts';

/** The options of `PostgresLeaseStore.open`. */
export interface PostgresStoreOptions extends StoreOptions {
  /** The schema of the tables, `public` by default; also `?schema=` in the URL. */
  readonly schema?: string;
  /** The timeout of a connection and of a statement, 3,000 by default. Requests with a short TTL have a shorter one. */
  readonly timeoutMs?: number;
  /** The largest number of connections, beside the one for notifications; 3 by default. */
  readonly connections?: number;
}

const DEFAULT_TIMEOUT_MS = 3_000;

/** A call times out after one TTL, when its answer is of no use, but not before this time. */
const SHORTEST_TIMEOUT_MS = 1_000;

/** Each repetition means that another candidate made progress. */
const MOST_REPETITIONS = 10;

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
      'A failover to an asynchronous replica can forget the last grants, and tokens can go back.',
      "Leases end on the server's wall clock: if it is set forward, they end early.",
      'Deleting a row of the lease table restarts the tokens of that election at 1.',
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
    this.#listener = new PostgresListener(connect);
    this.#connections = new PostgresConnections(connect, {
      address,
      most: options.connections ?? 3,
      connectTimeoutMs: this.#timeoutMs,
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
    const timeoutMs = this.#timeoutOf(requests);
    return this.#inRounds(requests, async (round) => {
      const rows = await this.#list(this.#statements.acquire, timeoutMs, [
        round.map(({ name }) => name),
        round.map(({ id }) => id),
        round.map(({ nonce }) => nonce),
        round.map(({ ttlMs }) => ttlMs),
        round.map(({ priority }) => priority),
        round.map(({ processProof }) => processProof),
        round.map(({ goneNonce }) => goneNonce),
        this.#keepTerms,
      ]);
      return round.map(({ name }, index) => {
        const row = rows.get(index);
        return row === undefined ? undefined : acquireAnswer(name, row);
      });
    });
  }

  async renew(renewals: readonly RenewRequest[]): Promise<readonly RenewAnswer[]> {
    const timeoutMs = this.#timeoutOf(renewals);
    if (renewals.length === 1) {
      const [{ name, nonce, token, ttlMs }] = renewals;
      const values = [name, nonce, tokenText(token), ttlMs];
      const row = (await this.#list(this.#statements.renewOne, timeoutMs, values)).get(0);
      if (row !== undefined) return [renewAnswer(row)];
    }
    return this.#inRounds(renewals, async (round) => {
      const rows = await this.#list(this.#statements.renew, timeoutMs, [
        round.map(({ name }) => name),
        round.map(({ nonce }) => nonce),
        round.map(({ token }) => tokenText(token)),
        round.map(({ ttlMs }) => ttlMs),
      ]);
      return round.map((_, index) => renewAnswer(rows.get(index)));
    });
  }

  async release(releases: readonly ReleaseRequest[]): Promise<readonly ReleaseAnswer[]> {
    return this.#inRounds(releases, async (round) => {
      const rows = await this.#list(this.#statements.release, this.#timeoutMs, [
        round.map(({ name }) => name),
        round.map(({ nonce }) => nonce),
        round.map(({ token }) => tokenText(token)),
        round.map(({ reason }) => reason),
        round.map(({ successor }) => successor),
        round.map(({ reserveMs }) => reserveMs),
      ]);
      return round.map((_, index): ReleaseAnswer => ({ type: rows.has(index) ? 'ok' : 'lost' }));
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

  async evict(name: string): Promise<boolean> {
    return (await this.#list(this.#statements.evict, this.#timeoutMs, [[name]])).size > 0;
  }

  async requestTransfer(name: string, to: string): Promise<boolean> {
    return (await this.#list(this.#statements.requestTransfer, this.#timeoutMs, [[name], [to]])).size > 0;
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

  async init(): Promise<void> {
    await this.#connections.use((client) => this.#preparation.make(client), this.#timeoutMs);
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

  /** The items of one statement must have different names. An item without an answer goes into the next round. */
  async #inRounds<Item extends { readonly name: string }, Answer>(
    items: readonly Item[],
    run: (round: readonly Item[]) => Promise<readonly (Answer | undefined)[]>,
  ): Promise<readonly Answer[]> {
    const answers = new Map<number, Answer>();
    let rest = items.map((_, index) => index);
    for (let empty = 0; rest.length > 0; ) {
      const names = new Set<string>();
      const round = rest.filter((index) => {
        const isFirst = !names.has(items[index].name);
        names.add(items[index].name);
        return isFirst;
      });
      const given = await run(round.map((index) => items[index])).catch((error: StoreError) => {
        // Nothing was written in this round, but earlier rounds may have written.
        throw answers.size === 0 ? error : new StoreError('unreachable', error.message, error);
      });
      round.forEach((index, place) => {
        const answer = given[place];
        if (answer !== undefined) answers.set(index, answer);
      });
      const left = rest.filter((index) => !answers.has(index));
      empty = left.length === rest.length ? empty + 1 : 0;
      if (empty === MOST_REPETITIONS) {
        const kind = answers.size === 0 ? 'busy' : 'unreachable';
        throw new StoreError(kind, `${this.label}: too many requests for the same election; try again`);
      }
      rest = left;
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

/** A token that PostgreSQL's bigint cannot hold matches no row, like −1. */
function tokenText(token: bigint): string {
  return token === BigInt.asIntN(64, token) ? `${token}` : '-1';
}

function byPlace(rows: readonly PostgresRow[]): Map<number, PostgresRow> {
  return new Map(rows.map((row) => [Number(row.n) - 1, row]));
}
