/**
 * Leases in a SQLite file, for the processes of one host. Every call is one transaction that includes the audit trail and is
 * on disk before it is answered. It applies the rules of lease-row.ts while the file is locked. Acknowledged writes survive
 * kill −9 of any process at any time.
 *
 * Time is the monotonic clock of the kernel: setting the wall clock does not move the end of a lease. The clock restarts with
 * each boot. A lease of another boot id, which may be one of a container on this host, is granted when the processes of this
 * boot have observed it unchanged for its whole duration.
 *
 * Not guaranteed: anything across hosts. A write blocks the event loop while the disk syncs. A lock of another process blocks
 * it for a few milliseconds at a time; after 100 ms the call fails as busy. A process that is stopped within a write
 * transaction stops all elections of the file, so a request that is refused and has nothing to write only reads.
 */
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClockReading } from '../../core/clock-reading.ts';
import * as rules from '../../core/lease-row.ts';
import { closedError } from '../../core/store-error.ts';
import { withTokenText } from '../../core/token-text.ts';
import { type HostClock, hostClock } from '../../host/host-clock.ts';
import { DEFAULT_KEEP_TERMS } from '../../lease-store.ts';
import type * as Store from '../../store-interface.ts';
import { parseAddress } from '../../store-url.ts';
import { minToken } from '../election.ts';
import { isBusy } from '../sqlite-library.ts';
import { Watchers } from '../watchers.ts';
import { NotificationFile } from './notification-file.ts';
import { SqliteCandidates } from './sqlite-candidates.ts';
import { sqliteError } from './sqlite-error.ts';
import { checkInPlace, openSqliteFile, type SqliteFile } from './sqlite-file.ts';
import { checkLayout, TABLES } from './sqlite-layout.ts';
import { SqliteLeases } from './sqlite-leases.ts';
import { SqliteTicks } from './sqlite-ticks.ts';

/** The options of `SqliteLeaseStore.open`. */
export interface SqliteStoreOptions extends Store.StoreOptions {
  /** Replaces the clock of the host. */
  readonly clock?: HostClock;
}

/** How long a call tries to get the lock, with pauses that do not block the process. */
const LOCK_WAIT_MS = 100;
const MIN_ATTEMPTS = 3;

const CAPABILITIES: Store.Capabilities = {
  expiry: 'clock',
  linearizable: true,
  survivesCrash: true,
  survivesFailover: false,
  push: true,
  audit: true,
  transactions: true,
  tickClock: 'host',
  caveats: [
    'Only the processes of one host take part: the file must be on a disk of that host.',
    'Removing or replacing the file frees its leases while their holders work on for up to a TTL.',
    'A process that is stopped (SIGSTOP, a debugger, docker pause) while it writes stops all elections of the file.',
  ],
};

/** A store in a SQLite file, for the processes of one host. */
export class SqliteLeaseStore implements Store.LeaseStore {
  readonly label: string;
  readonly capabilities = CAPABILITIES;
  readonly #file: SqliteFile;
  readonly #leases: SqliteLeases;
  readonly #candidates: SqliteCandidates;
  readonly #ticks: SqliteTicks;
  readonly #clock: HostClock;
  readonly #notifications: NotificationFile;
  /** By election. */
  readonly #watchers = new Watchers();
  /** The watchers of all changes up to this one have been notified. */
  #notifiedChange = 0;
  /** The elections whose latest request was refused: the next one probably is too, and then has nothing to write. */
  readonly #refused = new Set<string>();
  #isClosed = false;

  private constructor(label: string, file: SqliteFile, options: SqliteStoreOptions) {
    const { clock = hostClock(), keepTerms = DEFAULT_KEEP_TERMS } = options;
    this.label = label;
    this.#file = file;
    this.#clock = clock;
    this.#leases = new SqliteLeases(file.database, clock, keepTerms);
    this.#candidates = new SqliteCandidates(file.database);
    this.#ticks = new SqliteTicks(file.database, keepTerms);
    this.#notifications = new NotificationFile(`${file.path}-notify`, () => this.#notifyWatchers());
  }

  /** `sqlite:PATH`. Creates the file and its tables if they are missing. */
  static async open(url: string, options: SqliteStoreOptions = {}): Promise<SqliteLeaseStore> {
    const { path, label } = parseAddress(url, 'file');
    return new SqliteLeaseStore(label, await openSqliteFile(path, label), options);
  }

  async acquire(requests: readonly Store.AcquireRequest[]): Promise<readonly Store.AcquireAnswer[]> {
    const isWaiting = requests.every(({ name }) => this.#refused.has(name));
    const refused = isWaiting ? await this.#read((now) => this.#refuse(requests, now)) : null;
    const answers = refused ?? (await this.#write((now) => requests.map((each) => this.#acquire(each, now))));
    for (const [index, { type }] of answers.entries()) {
      if (type === 'held') this.#refused.add(requests[index].name);
      else this.#refused.delete(requests[index].name);
    }
    return answers;
  }

  acquireAll(requests: readonly Store.AcquireRequest[]): Promise<readonly Store.AcquireAnswer[]> {
    return this.#write((now) => {
      const rows = requests.map(({ name }) => this.#leases.row(name, now));
      const isGrant = (request: Store.AcquireRequest, index: number): boolean =>
        rules.acquire(rows[index], request, now.monoMs).answer.type === 'ok';
      const isAll = requests.every(isGrant);
      return requests.map((request, index): Store.AcquireAnswer => {
        if (isAll || !isGrant(request, index)) return this.#acquire(request, now);
        return { type: 'held', record: rules.recordOf(request.name, rows[index], now.monoMs) };
      });
    });
  }

  renew(renewals: readonly Store.RenewRequest[]): Promise<readonly Store.RenewAnswer[]> {
    return this.#write((now) =>
      renewals.map((renewal) =>
        this.#leases.change(renewal.name, now, (row) => rules.renew(row, renewal, now.monoMs)),
      ),
    );
  }

  async release(releases: readonly Store.ReleaseRequest[]): Promise<readonly Store.ReleaseAnswer[]> {
    const answers = await this.#write((now) =>
      releases.map((release) =>
        this.#leases.change(release.name, now, (row) => rules.release(row, release, now.monoMs), true),
      ),
    );
    if (answers.some(({ type }) => type !== 'lost')) this.#notifications.notify();
    return answers;
  }

  read(names: readonly string[]): Promise<readonly Store.LeaseRecord[]> {
    return this.#read((now) =>
      names.map((name) => withTokenText(rules.recordOf(name, this.#leases.row(name, now), now.monoMs))),
    );
  }

  watch(name: string, onNotification: () => void): () => void {
    if (this.#isClosed) return () => {};
    if (this.#watchers.isEmpty) this.#startWatching();
    return this.#watchers.add(name, onNotification, () => {
      if (this.#watchers.isEmpty) this.#notifications.stop();
    });
  }

  isPushing(): boolean {
    return this.#notifications.isProven;
  }

  withdraw(requests: readonly Store.WithdrawRequest[]): Promise<void> {
    return this.#write(() => {
      for (const request of requests) this.#candidates.remove(request);
    });
  }

  candidates(name: string): Promise<readonly Store.WaitingCandidate[]> {
    return this.#read(({ monoMs }) => this.#candidates.list(name, monoMs));
  }

  async evict(name: string, cooldownMs?: number): Promise<boolean> {
    const isHeld = await this.#write((now) =>
      this.#leases.change(name, now, (row) => rules.evict(row, cooldownMs ?? null, now.monoMs), true),
    );
    if (isHeld) this.#notifications.notify();
    return isHeld;
  }

  async requestTransfer(name: string, to: string): Promise<Store.TransferAnswer> {
    const answer = await this.#write((now) => {
      const isRegistered = this.#candidates.list(name, now.monoMs).some(({ id }) => id === to);
      const rule = (row: rules.LeaseRow) => rules.requestTransfer(row, to, isRegistered, now.monoMs);
      return this.#leases.change(name, now, rule, true);
    });
    if (answer === 'requested') this.#notifications.notify();
    return answer;
  }

  time(): Promise<number> {
    return this.#read(({ wallMs }) => wallMs);
  }

  startTick(request: Store.StartTickRequest): Promise<Store.StartTickAnswer> {
    return this.#write((now) => this.#ticks.start(request, this.#leases.row(request.name, now), now));
  }

  endTick(request: Store.EndTickRequest): Promise<boolean> {
    return this.#write((now) => this.#ticks.end(request, now));
  }

  resetTicks(name: string): Promise<readonly Store.Tick[]> {
    return this.#write((now) => this.#ticks.reset(name, this.#leases.row(name, now), now));
  }

  ticks(name: string, { limit }: Store.TickQuery = {}): Promise<readonly Store.Tick[]> {
    return this.#read((now) => this.#ticks.list(name, this.#leases.row(name, now), now, limit));
  }

  history(name: string, query?: Store.HistoryQuery): Promise<readonly Store.Term[]> {
    return this.#read((now) => this.#leases.history(name, now, query));
  }

  names(): Promise<readonly string[]> {
    return this.#read(() => this.#leases.names());
  }

  /** The tables are created when the file is opened: this checks their layout. */
  async init({ tokenFrom }: Store.InitOptions = {}): Promise<void> {
    await this.#read(() => checkLayout(this.#file.database, this.label));
    if (tokenFrom !== undefined) await this.#write(() => this.#leases.raisePastToken(tokenFrom));
  }

  prune(idleMs: number, { dryRun = false }: Store.PruneOptions = {}): Promise<readonly string[]> {
    if (dryRun) return this.#read((now) => this.#leases.idle(idleMs, now).map(({ name }) => String(name)));
    return this.#write((now) => this.#leases.prune(idleMs, now));
  }

  initStatements(): readonly string[] {
    return TABLES;
  }

  async probe(): Promise<Store.Probe> {
    const startMs = performance.now();
    const version = await this.#write(() => this.#leases.sqliteVersion());
    return probeSqlite(this.#file.path, this.#clock, version, performance.now() - startMs);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#watchers.clear();
    this.#notifications.stop();
    this.#file.database.close();
  }

  /** The answers to requests that are all refused without a change; null if one of them must write. */
  #refuse(requests: readonly Store.AcquireRequest[], now: ClockReading): Store.AcquireAnswer[] | null {
    const answers: Store.AcquireAnswer[] = [];
    for (const request of requests) {
      const before = this.#leases.row(request.name, now);
      const ahead = this.#candidates.ahead(request, now.monoMs);
      const { row, answer } = rules.acquire(before, request, now.monoMs, true, 1n, ahead);
      const isWaiting = request.registerMs === 0 || this.#candidates.isRegistered(request, now.monoMs);
      if (answer.type === 'ok' || row !== before || !isWaiting) return null;
      answers.push(answer);
    }
    return answers;
  }

  #acquire(request: Store.AcquireRequest, now: ClockReading): Store.AcquireAnswer {
    const ahead = this.#candidates.ahead(request, now.monoMs);
    const answer = this.#leases.change(request.name, now, (row) =>
      rules.acquire(row, request, now.monoMs, true, minToken(this.#leases.pastToken(), now), ahead),
    );
    if (answer.type === 'ok') {
      this.#candidates.remove(request);
      return answer;
    }
    this.#leases.observe(request.name, now);
    if (request.registerMs > 0) this.#candidates.register(request, now.monoMs);
    return answer;
  }

  #startWatching(): void {
    this.#notifications.start();
    try {
      this.#notifiedChange = this.#leases.lastChange();
    } catch {
      // The first notification is then for every election.
      this.#notifiedChange = 0;
    }
  }

  /** One read for all elections: a file may hold thousands, and another process may release one many times a second. */
  #notifyWatchers(): void {
    let names: Iterable<string> = this.#watchers.names();
    try {
      const changes = this.#leases.changedSince(this.#notifiedChange);
      for (const { change } of changes) if (change > this.#notifiedChange) this.#notifiedChange = change;
      names = changes.map(({ name }) => name);
    } catch {
      // What has changed cannot be read now: a notification too many does no harm.
    }
    for (const name of names) this.#watchers.notify(name);
  }

  #write<T>(work: (now: ClockReading) => T): Promise<T> {
    return this.#transact('BEGIN IMMEDIATE', work);
  }

  #read<T>(work: (now: ClockReading) => T): Promise<T> {
    return this.#transact('BEGIN', work);
  }

  async #transact<T>(begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: (now: ClockReading) => T): Promise<T> {
    const endMs = performance.now() + LOCK_WAIT_MS;
    for (let attempt = 1; ; attempt++) {
      this.#check();
      try {
        return this.#leases.transaction(begin, work);
      } catch (error) {
        // A process that was suspended has not really tried yet.
        const mayRetry = attempt < MIN_ATTEMPTS || performance.now() < endMs;
        if (!isBusy(error) || !mayRetry) throw sqliteError(this.label, error);
      }
      // A random pause, because SQLite does not queue waiting processes.
      await sleep(1 + Math.random() * 9);
    }
  }

  #check(): void {
    if (this.#isClosed) throw closedError(this.label);
    checkInPlace(this.#file, this.label);
  }
}

/** What `doctor` reports. */
function probeSqlite(path: string, { boot }: HostClock, version: string, roundTripMs: number): Store.Probe {
  const warnings: string[] = [];
  if ((statSync(path).mode & 0o077) !== 0) {
    warnings.push(`Other users have access to ${path}: run chmod 600 on it, unless they take part.`);
  }
  if (boot === '') {
    warnings.push('This system has no boot id: a lease of an earlier boot may look valid for up to its TTL.');
  }
  return { server: `SQLite ${version}`, roundTripMs, clockOffsetMs: 0, problems: [], warnings };
}
