/**
 * Leases in a SQLite file, for the processes of one host. Every call is one transaction that includes the audit trail and is
 * on disk before it is answered. It applies the rules of lease-row.ts while the file is locked. Acknowledged writes survive
 * kill −9 of any process at any time.
 *
 * Time is the monotonic clock of the kernel: setting the wall clock does not move the end of a lease. The clock restarts with
 * each boot, and leases of an earlier boot have ended.
 *
 * Not guaranteed: anything across hosts. A write blocks the event loop while the disk syncs. A lock of another process blocks
 * it for a few milliseconds at a time; after 100 ms the call fails as busy.
 */
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  AcquireAnswer,
  AcquireRequest,
  ReleaseAnswer,
  ReleaseRequest,
  RenewAnswer,
  RenewRequest,
} from '../../core/calls.ts';
import type { ClockReading } from '../../core/clock-reading.ts';
import type { LeaseRecord } from '../../core/lease-record.ts';
import * as rules from '../../core/lease-row.ts';
import { withTokenText } from '../../core/token-text.ts';
import { type HostClock, hostClock } from '../../host/host-clock.ts';
import type { Capabilities, HistoryQuery, LeaseStore, Probe, StoreOptions, Term } from '../../lease-store.ts';
import { DEFAULT_KEEP_TERMS } from '../../lease-store.ts';
import { StoreError } from '../../store-error.ts';
import { parseAddress } from '../../store-url.ts';
import { isBusy } from '../sqlite-library.ts';
import { NotificationFile } from './notification-file.ts';
import { sqliteError } from './sqlite-error.ts';
import { checkVersion, inodeOf, openSqliteFile, type SqliteFile, TABLES } from './sqlite-file.ts';
import { SqliteLeases } from './sqlite-leases.ts';

/** The options of `SqliteLeaseStore.open`. */
export interface SqliteStoreOptions extends StoreOptions {
  /** Replaces the clock of the host. */
  readonly clock?: HostClock;
}

/** How long a call tries to get the lock, with pauses that do not block the process. */
const LOCK_WAIT_MS = 100;
const LEAST_ATTEMPTS = 3;

const CAPABILITIES: Capabilities = {
  clock: true,
  linearizable: true,
  survivesCrash: true,
  survivesFailover: false,
  push: true,
  audit: true,
  caveats: [
    'Only the processes of one host take part: the file must be on a disk of that host.',
    'Removing or replacing the file frees its leases while their holders work on for up to a ttl, and tokens go back.',
  ],
};

/** A store in a SQLite file, for the processes of one host. */
export class SqliteLeaseStore implements LeaseStore {
  readonly label: string;
  readonly capabilities = CAPABILITIES;
  readonly #file: SqliteFile;
  readonly #leases: SqliteLeases;
  readonly #clock: HostClock;
  readonly #notifications: NotificationFile;
  #isClosed = false;

  private constructor(label: string, file: SqliteFile, options: SqliteStoreOptions) {
    this.label = label;
    this.#file = file;
    this.#clock = options.clock ?? hostClock();
    this.#leases = new SqliteLeases(file.database, this.#clock, options.keepTerms ?? DEFAULT_KEEP_TERMS);
    this.#notifications = new NotificationFile(`${file.path}-notify`);
  }

  /** `sqlite:PATH`. Creates the file and its tables if they are missing. */
  static async open(url: string, options: SqliteStoreOptions = {}): Promise<SqliteLeaseStore> {
    const { path, label } = parseAddress(url, 'file');
    return new SqliteLeaseStore(label, await openSqliteFile(path, label), options);
  }

  acquire(requests: readonly AcquireRequest[]): Promise<readonly AcquireAnswer[]> {
    return this.#write((now) =>
      requests.map((request) =>
        this.#leases.change(request.name, now, (row) => rules.acquire(row, request, now.monoMs)),
      ),
    );
  }

  renew(renewals: readonly RenewRequest[]): Promise<readonly RenewAnswer[]> {
    return this.#write((now) =>
      renewals.map((renewal) =>
        this.#leases.change(renewal.name, now, (row) => rules.renew(row, renewal, now.monoMs)),
      ),
    );
  }

  async release(releases: readonly ReleaseRequest[]): Promise<readonly ReleaseAnswer[]> {
    const answers = await this.#write((now) =>
      releases.map((release) =>
        this.#leases.change(release.name, now, (row) => rules.release(row, release, now.monoMs)),
      ),
    );
    if (answers.some(({ type }) => type === 'ok')) this.#notifications.notify();
    return answers;
  }

  read(names: readonly string[]): Promise<readonly LeaseRecord[]> {
    return this.#read((now) =>
      names.map((name) => withTokenText(rules.recordOf(name, this.#leases.row(name, now), now.monoMs))),
    );
  }

  /** A notification does not name the election: reading the row, which is local, tells whether it has changed. */
  watch(name: string, onNotification: () => void): () => void {
    if (this.#isClosed) return () => {};
    let last = this.#markOf(name);
    return this.#notifications.watch(() => {
      const mark = this.#markOf(name);
      if (mark !== null && mark === last) return;
      last = mark;
      onNotification();
    });
  }

  evict(name: string): Promise<boolean> {
    return this.#instruct(name, (row, nowMs) => rules.evict(row, nowMs));
  }

  requestTransfer(name: string, to: string): Promise<boolean> {
    return this.#instruct(name, (row, nowMs) => rules.requestTransfer(row, to, nowMs));
  }

  history(name: string, query?: HistoryQuery): Promise<readonly Term[]> {
    return this.#read((now) => this.#leases.history(name, now, query));
  }

  names(): Promise<readonly string[]> {
    return this.#read(() => this.#leases.names());
  }

  /** The tables are created when the file is opened: this checks their version. */
  async init(): Promise<void> {
    await this.#read(() => checkVersion(this.#file.database, this.label));
  }

  initStatements(): readonly string[] {
    return TABLES;
  }

  async probe(): Promise<Probe> {
    const startMs = performance.now();
    const version = await this.#write(() => this.#leases.sqliteVersion());
    const roundTripMs = performance.now() - startMs;
    const warnings: string[] = [];
    if ((statSync(this.#file.path).mode & 0o077) !== 0) {
      warnings.push(
        `Other users have access to ${this.#file.path}: run chmod 600 on it, unless they take part.`,
      );
    }
    if (this.#clock.boot === '') {
      warnings.push(
        'This system has no boot id: after a restart, candidates wait for the end of old leases.',
      );
    }
    return { server: `SQLite ${version}`, roundTripMs, clockOffsetMs: 0, problems: [], warnings };
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#notifications.close();
    this.#file.database.close();
  }

  /** The part of a row that a renewal does not change; null if it cannot be read now. */
  #markOf(name: string): string | null {
    try {
      const { token, holder, successor, transferTo } = this.#leases.transaction('BEGIN', (now) =>
        this.#leases.row(name, now),
      );
      return JSON.stringify([`${token}`, holder?.nonce, holder?.evicted, successor, transferTo]);
    } catch {
      return null;
    }
  }

  async #instruct(
    name: string,
    rule: (row: rules.LeaseRow, nowMs: number) => rules.Applied<boolean>,
  ): Promise<boolean> {
    const done = await this.#write((now) => this.#leases.change(name, now, (row) => rule(row, now.monoMs)));
    if (done) this.#notifications.notify();
    return done;
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
        const mayRetry = attempt < LEAST_ATTEMPTS || performance.now() < endMs;
        if (!isBusy(error) || !mayRetry) throw sqliteError(this.label, error);
      }
      // A random pause, because SQLite does not queue waiting processes.
      await sleep(1 + Math.random() * 9);
    }
  }

  #check(): void {
    if (this.#isClosed) {
      throw new StoreError('unreachable', `${this.label} was closed by this process; open it again`);
    }
    // A removed file is still open here, while the next process to open the path gets another file: two sets of leases.
    let inode = 'gone';
    try {
      inode = inodeOf(this.#file.path);
    } catch {}
    if (inode !== this.#file.inode) {
      throw new StoreError(
        'unusable',
        `${this.label}: the file was removed or replaced while in use; restart every process that uses it`,
      );
    }
  }
}
