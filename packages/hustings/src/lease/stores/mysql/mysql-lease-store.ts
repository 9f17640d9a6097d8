/**
 * Leases in MySQL 8.0 and MariaDB 10.6, or later, on the server's clock. A renewal is one packet. Every other change is a
 * look and a compare-and-set (mysql-leases.ts). Locks are those of rows: GET_LOCK belongs to a session, and would be lost with
 * it without notice.
 *
 * The server's clock is its wall clock. If it is set forward, leases end early and a takeover may come before the holder has
 * stopped. Let NTP slew the clock instead of stepping it.
 */
import { checkWhole, InputError } from '@hustings/base';
import * as rules from '../../core/lease-row.ts';
import { PartialAnswerError, StoreError } from '../../core/store-error.ts';
import { withTokenText } from '../../core/token-text.ts';
import { DEFAULT_KEEP_TERMS } from '../../lease-store.ts';
import type * as Store from '../../store-interface.ts';
import type { JoinedRounds } from '../joined-rounds.ts';
import { inRounds, type RunRound, timeoutOf, untilWhole } from '../rounds.ts';
import { ServerConnections } from '../server-connections.ts';
import { existingMysql2, type Mysql2Source } from './existing-mysql2.ts';
import { acquireEach } from './mysql-acquire.ts';
import { MysqlCalls } from './mysql-calls.ts';
import { candidateFrom, listCandidates, withdrawStatement } from './mysql-candidates.ts';
import {
  loadMysql,
  type MysqlAddress,
  type MysqlClient,
  type MysqlConnect,
  mysqlAddress,
} from './mysql-client.ts';
import { endsConnection, mysqlError } from './mysql-error.ts';
import { MysqlLeases } from './mysql-leases.ts';
import { MysqlPreparation } from './mysql-preparation.ts';
import { probeMysql } from './mysql-probe.ts';
import { listIdle, prune } from './mysql-prune.ts';
import { renewAll, renewOne } from './mysql-renewals.ts';
import { literal, NOW_MS } from './mysql-sql.ts';
import { endTick, listTicks, resetTicks, startTick } from './mysql-ticks.ts';

/** The options of `MysqlLeaseStore.open`. */
export interface MysqlStoreOptions extends Store.StoreOptions {
  /** The timeout of a connection and of a packet, 3,000 by default. Requests with a short TTL have a shorter one. */
  readonly timeoutMs?: number;
  /** The largest number of connections, 2 by default. One more is for renewals while the others are in use. */
  readonly connections?: number;
}

const DEFAULT_TIMEOUT_MS = 3_000;
/** Leaves room for larger tokens in a BIGINT. */
const MAX_TOKEN_FROM = 2n ** 62n;
/** How many items a packet has at most: its size is limited by the server. */
const MAX_ITEMS = 1_000;

const CAPABILITIES: Store.Capabilities = {
  expiry: 'clock',
  linearizable: true,
  survivesCrash: true,
  survivesFailover: false,
  push: false,
  audit: true,
  transactions: true,
  tickClock: 'server',
  caveats: [
    'A failover to a replica can forget the last grants: then two candidates lead until the forgotten lease ends. Semi-synchronous replication prevents it only while it is in effect: it becomes asynchronous after its timeout.',
    'If innodb_flush_log_at_trx_commit is not 1, a crash of the server or its machine can forget the last grants.',
    "Leases end on the server's wall clock: if it is set forward, they end early.",
    'In a Galera cluster or a multi-primary group, every node judges leases by its own clock: connect all candidates to one node.',
    'The store does not push: a waiting candidate learns of a release when it asks again.',
  ],
};

/** A store in MySQL or MariaDB. */
export class MysqlLeaseStore implements Store.LeaseStore {
  readonly label: string;
  readonly capabilities = CAPABILITIES;
  readonly #address: MysqlAddress;
  readonly #timeoutMs: number;
  readonly #keepTerms: number;
  readonly #connections: ServerConnections<MysqlClient>;
  readonly #preparation: MysqlPreparation;
  readonly #calls: MysqlCalls;
  readonly #leases: MysqlLeases;
  readonly #acquires: JoinedRounds<Store.AcquireRequest, Store.AcquireAnswer>;
  /** Renewals and releases. They do not wait for a connection that waiting candidates occupy. */
  readonly #urgent: MysqlCalls;
  readonly #urgentLeases: MysqlLeases;

  private constructor(address: MysqlAddress, connect: MysqlConnect, options: MysqlStoreOptions) {
    this.label = address.label;
    this.#address = address;
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#keepTerms = options.keepTerms ?? DEFAULT_KEEP_TERMS;
    this.#preparation = new MysqlPreparation(address);
    this.#connections = new ServerConnections({
      label: address.label,
      most: options.connections ?? 2,
      locks: 'information_schema.innodb_trx',
      make: connect,
      destroy: (client) => client.destroy(),
      // The session ends its waits for locks by itself.
      cancel: () => Promise.resolve(),
      toStoreError: (error) => mysqlError(address, error),
      endsConnection,
    });
    const calls = {
      label: address.label,
      timeoutMs: this.#timeoutMs,
      connections: this.#connections,
      preparation: this.#preparation,
    };
    this.#calls = new MysqlCalls({ ...calls, isUrgent: false });
    this.#urgent = new MysqlCalls({ ...calls, isUrgent: true });
    this.#leases = new MysqlLeases(this.#calls, this.#keepTerms);
    this.#urgentLeases = new MysqlLeases(this.#urgent, this.#keepTerms);
    this.#acquires = this.#connections.joined((round, timeoutMs) =>
      acquireEach(this.#leases, round, timeoutMs),
    );
  }

  /**
   * `mysql://user@host/database`, or a pool or connection of mysql2: the store opens its own connections to the same server.
   * Connects with the first call, not here.
   */
  static async open(
    source: string | Mysql2Source,
    options: MysqlStoreOptions = {},
  ): Promise<MysqlLeaseStore> {
    const { keepTerms, timeoutMs, connections } = options;
    for (const [option, value] of Object.entries({ keepTerms, timeoutMs, connections })) {
      if (value !== undefined) checkWhole(option, value);
    }
    const address = typeof source === 'string' ? mysqlAddress(source) : existingMysql2(source);
    const connect = await loadMysql(address, timeoutMs ?? DEFAULT_TIMEOUT_MS);
    return new MysqlLeaseStore(address, connect, options);
  }

  acquire(requests: readonly Store.AcquireRequest[]): Promise<readonly Store.AcquireAnswer[]> {
    return this.#inRounds(requests, timeoutOf(requests, this.#timeoutMs), (round, timeoutMs) =>
      this.#acquires.run(round, timeoutMs),
    );
  }

  acquireAll(requests: readonly Store.AcquireRequest[]): Promise<readonly Store.AcquireAnswer[]> {
    const run: RunRound<Store.AcquireRequest, Store.AcquireAnswer> = (round, timeoutMs) =>
      acquireEach(this.#leases, round, timeoutMs, true);
    return untilWhole(requests, timeoutOf(requests, this.#timeoutMs), run, (name) =>
      this.#calls.locked(name),
    );
  }

  async renew(renewals: readonly Store.RenewRequest[]): Promise<readonly Store.RenewAnswer[]> {
    const allMs = timeoutOf(renewals, this.#timeoutMs);
    if (renewals.length === 1) {
      const answer = await renewOne(this.#urgent, renewals[0], allMs);
      if (answer !== undefined) return [answer];
    }
    return this.#inRounds(renewals, allMs, (round, timeoutMs) =>
      renewAll(this.#urgent, this.#urgentLeases, round, timeoutMs),
    );
  }

  release(releases: readonly Store.ReleaseRequest[]): Promise<readonly Store.ReleaseAnswer[]> {
    return this.#inRounds(releases, this.#timeoutMs, async (round, timeoutMs) => {
      const look = await this.#urgentLeases.look(
        round.map(({ name }) => name),
        [],
        timeoutMs,
      );
      const items = round.map((request) => ({
        name: request.name,
        rule: (row: rules.LeaseRow) => rules.release(row, request, look.nowMs),
      }));
      const changed = await this.#urgentLeases.change(items, look, timeoutMs);
      return changed.map((each) => each?.answer);
    });
  }

  async read(names: readonly string[]): Promise<readonly Store.LeaseRecord[]> {
    if (names.length === 0) return [];
    const { leases, nowMs } = await this.#leases.look(names);
    return names.map((name) =>
      withTokenText(rules.recordOf(name, leases.get(name)?.row ?? rules.EMPTY_ROW, nowMs)),
    );
  }

  /** The server sends nothing that was not asked for. */
  isPushing(): boolean {
    return false;
  }

  async withdraw(requests: readonly Store.WithdrawRequest[]): Promise<void> {
    if (requests.length > 0) await this.#calls.tryWrite([withdrawStatement(requests)]);
  }

  async candidates(name: string): Promise<readonly Store.WaitingCandidate[]> {
    const [{ rows }] = await this.#calls.run([listCandidates(name)]);
    return rows.map(candidateFrom);
  }

  evict(name: string, cooldownMs?: number): Promise<boolean> {
    return this.#one(name, async () => {
      const look = await this.#leases.look([name]);
      const rule = (row: rules.LeaseRow) => rules.evict(row, cooldownMs ?? null, look.nowMs);
      const [changed] = await this.#leases.change([{ name, rule }], look);
      return changed?.answer;
    });
  }

  requestTransfer(name: string, to: string): Promise<Store.TransferAnswer> {
    return this.#one(name, async () => {
      const look = await this.#leases.look([name], [listCandidates(name)]);
      const isWaiting = look.more[0].some(({ id }) => id === to);
      const rule = (row: rules.LeaseRow) => rules.requestTransfer(row, to, isWaiting, look.nowMs);
      const [changed] = await this.#leases.change([{ name, rule }], look);
      return changed?.answer;
    });
  }

  async time(): Promise<number> {
    const [{ rows }] = await this.#calls.run([`SELECT ${NOW_MS} AS now_ms`]);
    return Number(rows[0].now_ms);
  }

  startTick(request: Store.StartTickRequest): Promise<Store.StartTickAnswer> {
    const kept = { ...request, missedMs: request.missedMs.slice(-this.#keepTerms) };
    return this.#one(request.name, () => startTick(this.#leases, kept, this.#keepTerms));
  }

  endTick(request: Store.EndTickRequest): Promise<boolean> {
    return this.#one(request.name, () => endTick(this.#calls, request));
  }

  resetTicks(name: string): Promise<readonly Store.Tick[]> {
    return this.#one(name, () => resetTicks(this.#leases, name));
  }

  ticks(name: string, { limit }: Store.TickQuery = {}): Promise<readonly Store.Tick[]> {
    return listTicks(this.#leases, name, limit);
  }

  history(name: string, query?: Store.HistoryQuery): Promise<readonly Store.Term[]> {
    return this.#leases.history(name, query);
  }

  async names(): Promise<readonly string[]> {
    const [{ rows }] = await this.#calls.run(['SELECT name FROM hustings_lease ORDER BY name']);
    return rows.map(({ name }) => name!);
  }

  async init({ tokenFrom }: Store.InitOptions = {}): Promise<void> {
    if (tokenFrom !== undefined && (tokenFrom < 0n || tokenFrom > MAX_TOKEN_FROM)) {
      throw new InputError(`tokenFrom must be from 0 to ${MAX_TOKEN_FROM}, not ${tokenFrom}`);
    }
    await this.#connections.use(async (client) => {
      await this.#preparation.startSession(client);
      await this.#preparation.make(client);
    }, this.#timeoutMs);
    if (tokenFrom === undefined) return;
    const token = literal(tokenFrom);
    await this.#calls.run([`UPDATE hustings_layout SET past_token = ${token} WHERE past_token < ${token}`]);
  }

  prune(idleMs: number, { dryRun = false }: Store.PruneOptions = {}): Promise<readonly string[]> {
    return dryRun ? listIdle(this.#calls, idleMs) : prune(this.#calls, idleMs);
  }

  initStatements(): readonly string[] {
    return this.#preparation.statements();
  }

  probe(): Promise<Store.Probe> {
    return this.#connections.use((client) => probeMysql(client, this.#address), this.#timeoutMs);
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  /** Repeats a call for one election while its lease changes or is locked. */
  async #one<Answer>(name: string, call: () => Promise<Answer | undefined>): Promise<Answer> {
    const [answer] = await this.#inRounds([{ name }], this.#timeoutMs, async () => [await call()]);
    return answer;
  }

  async #inRounds<Item extends { readonly name: string }, Answer>(
    items: readonly Item[],
    timeoutMs: number,
    run: RunRound<Item, Answer>,
  ): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    while (answers.length < items.length) {
      const part = items.slice(answers.length, answers.length + MAX_ITEMS);
      try {
        answers.push(...(await inRounds(part, timeoutMs, run, (name) => this.#calls.locked(name))));
      } catch (error) {
        if (answers.length === 0 || !(error instanceof StoreError)) throw error;
        const partial = error instanceof PartialAnswerError ? (error.answers as Answer[]) : [];
        const all = [...answers, ...partial];
        throw new PartialAnswerError(
          error,
          items.map((_, index) => all[index]),
        );
      }
    }
    return answers;
  }
}
