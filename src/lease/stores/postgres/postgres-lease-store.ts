/**
 * Leases in PostgreSQL 12 or later, by the server's clock. Every step is one autocommit statement under the lock of
 * its rows (postgres-statements.ts), and nothing lives in a session: restarts, broken connections and poolers cost time
 * and nothing else.
 *
 * Plain statements and not functions in the database: a function would be easier to read, but every mend of it would
 * have to be brought into each database by somebody with the right to do so.
 *
 * The server's clock is its wall clock: set forward, it ends leases early, by its own judgement; a holder that counts from
 * before its request does not notice, so takeover may come before it has stopped. Keep the clock slewed, not stepped.
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
import { claimAnswer, recordFrom, renewalAnswer, termFrom } from './postgres-rows.ts';
import { type PostgresStatements, postgresStatements } from './postgres-statements.ts';
import { type PostgresTables, postgresTables } from './postgres-tables.ts';

export interface PostgresStoreOptions extends StoreOptions {
  /** The schema of the tables, `public` unless told; also `?schema=` in the URL. */
  readonly schema?: string;
  /** How long a connection, and a statement, may take; 3,000 unless told. Statements of a short ttl have less. */
  readonly timeoutMs?: number;
  /** At most so many connections, beside the one for notifications; 3 unless told. */
  readonly connections?: number;
}

const DEFAULT_TIMEOUT_MS = 3_000;

/** A call is given up after a ttl, since its answer could be of no use, but not before this time. */
const SHORTEST_TIMEOUT_MS = 1_000;

/** Each repetition means that another candidate got on. */
const MOST_REPETITIONS = 10;

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
      'A failover to a replica that is not synchronous can forget the last grants, and tokens can then go back.',
      "Leases end by the server's wall clock: stepped forward, it ends them early.",
      'Whoever deletes a row of the lease table starts the tokens of that election again at 1.',
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

  /** Loads the driver and connects to nothing: a server that is down is for the first call to find. */
  static async open(url: string, options: PostgresStoreOptions = {}): Promise<PostgresLeaseStore> {
    const { keepTerms, timeoutMs, connections } = options;
    for (const [word, value] of Object.entries({ keepTerms, timeoutMs, connections })) {
      if (value === undefined || (Number.isSafeInteger(value) && value > 0)) continue;
      throw new InputError(`expected ${word} to be a whole number over 0, got ${value}: give one`);
    }
    const address = postgresAddress(url);
    const connect = await loadPostgres(address, timeoutMs ?? DEFAULT_TIMEOUT_MS);
    return new PostgresLeaseStore(address, connect, options);
  }

  async acquire(claims: readonly AcquireRequest[]): Promise<readonly AcquireAnswer[]> {
    const timeoutMs = this.#patience(claims);
    return this.#inRounds(claims, async (round) => {
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
        return row === undefined ? undefined : claimAnswer(name, row);
      });
    });
  }

  async renew(renewals: readonly RenewRequest[]): Promise<readonly RenewAnswer[]> {
    const timeoutMs = this.#patience(renewals);
    if (renewals.length === 1) {
      const [{ name, nonce, token, ttlMs }] = renewals;
      const values = [name, nonce, tokenText(token), ttlMs];
      const row = (await this.#list(this.#statements.renewOne, timeoutMs, values)).get(0);
      if (row !== undefined) return [renewalAnswer(row)];
    }
    return this.#inRounds(renewals, async (round) => {
      const rows = await this.#list(this.#statements.renew, timeoutMs, [
        round.map(({ name }) => name),
        round.map(({ nonce }) => nonce),
        round.map(({ token }) => tokenText(token)),
        round.map(({ ttlMs }) => ttlMs),
      ]);
      return round.map((_, index) => renewalAnswer(rows.get(index)));
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

  #patience(items: readonly { readonly ttlMs: number }[]): number {
    const shortestMs = items.reduce((least, { ttlMs }) => Math.min(least, ttlMs), this.#timeoutMs);
    return Math.min(this.#timeoutMs, Math.max(shortestMs, SHORTEST_TIMEOUT_MS));
  }

  /** No two items of one statement may have the same name; and an item without an answer goes into the next round. */
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
        // Nothing was done in this round; but something may have been in those before.
        throw answers.size === 0 ? error : new StoreError('unreachable', error.message, error);
      });
      round.forEach((index, place) => {
        const answer = given[place];
        if (answer !== undefined) answers.set(index, answer);
      });
      const left = rest.filter((index) => !answers.has(index));
      empty = left.length === rest.length ? empty + 1 : 0;
      if (empty === MOST_REPETITIONS) {
        const storeError = answers.size === 0 ? 'busy' : 'unreachable';
        throw new StoreError(storeError, `${this.label}: too many claims met on the same row: try again`);
      }
      rest = left;
    }
    return items.map((_, index) => answers.get(index)!);
  }

  /** A statement of postgres-statements.ts over a list: its rows by their places in the list. */
  async #list(
    text: string,
    timeoutMs: number,
    values: readonly unknown[],
  ): Promise<Map<number, PostgresRow>> {
    // The server gives up first, and says so; then nothing has happened, and the connection can stay.
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
      `${this.label} is a standby, whose answers are of the past: name the primary in the URL`,
    );
  }
}

/** No row has a token that a bigint of the server cannot hold, nor one below 0. */
function tokenText(token: bigint): string {
  return token === BigInt.asIntN(64, token) ? `${token}` : '-1';
}

function byPlace(rows: readonly PostgresRow[]): Map<number, PostgresRow> {
  return new Map(rows.map((row) => [Number(row.n) - 1, row]));
}
