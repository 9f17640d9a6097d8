/**
 * Leases in a file, for the processes of one host. Every call is one transaction, on disk before it is answered, with
 * its part of the audit trail; the rules are those of lease-row.ts, applied while the file is locked. What was answered
 * is there after kill −9 of any process at any time.
 *
 * Time is the kernel's monotonic clock: no setting of the wall clock moves the end of a lease. It begins anew with each
 * boot, and leases of an earlier boot are over.
 *
 * Not promised: anything across hosts. A write blocks the event loop while the disk syncs; a lock that others hold
 * blocks it for a few milliseconds at a time, and after a tenth of a second the call is refused as busy.
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
import { isBusy } from '../../sqlite-library.ts';
import { StoreError } from '../../store-error.ts';
import { parseAddress } from '../../store-url.ts';
import { Bell } from '../bell.ts';
import { sqliteError } from './sqlite-error.ts';
import { checkVersion, inodeOf, openSqliteFile, type SqliteFile, TABLES } from './sqlite-file.ts';
import { SqliteLeases } from './sqlite-leases.ts';

export interface SqliteStoreOptions extends StoreOptions {
  /** In place of the host's own. */
  readonly clock?: HostClock;
}

/** How long a call tries to get the lock, by waiting that lets the process do other things. */
const PATIENCE_MS = 100;
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
    'Whoever removes or replaces the file frees its leases, whose holders go on for up to a ttl, and tokens go back.',
  ],
};

export class SqliteLeaseStore implements LeaseStore {
  readonly label: string;
  readonly capabilities = CAPABILITIES;
  readonly #file: SqliteFile;
  readonly #leases: SqliteLeases;
  readonly #clock: HostClock;
  readonly #bell: Bell;
  #isClosed = false;

  private constructor(label: string, file: SqliteFile, options: SqliteStoreOptions) {
    this.label = label;
    this.#file = file;
    this.#clock = options.clock ?? hostClock();
    this.#leases = new SqliteLeases(file.database, this.#clock, options.keepTerms ?? DEFAULT_KEEP_TERMS);
    this.#bell = new Bell(`${file.path}-bell`);
  }

  /** `sqlite:PATH`. Makes the folder, the file and the tables that are missing. */
  static async open(url: string, options: SqliteStoreOptions = {}): Promise<SqliteLeaseStore> {
    const { path, label } = parseAddress(url, 'file');
    return new SqliteLeaseStore(label, await openSqliteFile(path, label), options);
  }

  acquire(claims: readonly AcquireRequest[]): Promise<readonly AcquireAnswer[]> {
    return this.#write((now) =>
      claims.map((claim) =>
        this.#leases.change(claim.name, now, (row) => rules.acquire(row, claim, now.monoMs)),
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
    if (answers.some(({ type }) => type === 'ok')) this.#bell.ring();
    return answers;
  }

  read(names: readonly string[]): Promise<readonly LeaseRecord[]> {
    return this.#read((now) =>
      names.map((name) => withTokenText(rules.recordOf(name, this.#leases.row(name, now), now.monoMs))),
    );
  }

  /** The bell does not say which election it rings for: a look at the row, which costs no round trip, tells. */
  watch(name: string, onNotification: () => void): () => void {
    if (this.#isClosed) return () => {};
    let last = this.#markOf(name);
    return this.#bell.listen(() => {
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

  /** The tables are made when the file is opened: this finds out whether they are still ours. */
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
      warnings.push(`other users have rights to ${this.#file.path}: chmod 600 it, unless they take part`);
    }
    if (this.#clock.boot === '') {
      warnings.push('this system has no name for its boot: after a restart a lease is waited for to its end');
    }
    return { server: `SQLite ${version}`, roundTripMs, clockOffsetMs: 0, problems: [], warnings };
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#bell.close();
    this.#file.database.close();
  }

  /** All of a row that a renewal does not change; null if it cannot be read now. */
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
    if (done) this.#bell.ring();
    return done;
  }

  #write<T>(work: (now: ClockReading) => T): Promise<T> {
    return this.#transact('BEGIN IMMEDIATE', work);
  }

  #read<T>(work: (now: ClockReading) => T): Promise<T> {
    return this.#transact('BEGIN', work);
  }

  async #transact<T>(begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: (now: ClockReading) => T): Promise<T> {
    const endMs = performance.now() + PATIENCE_MS;
    for (let attempt = 1; ; attempt++) {
      this.#check();
      try {
        return this.#leases.transaction(begin, work);
      } catch (error) {
        // A process that was held up itself has had no fair chance yet.
        const isPatient = attempt < LEAST_ATTEMPTS || performance.now() < endMs;
        if (!isBusy(error) || !isPatient) throw sqliteError(this.label, error);
      }
      // By chance, since SQLite does not queue those who wait.
      await sleep(1 + Math.random() * 9);
    }
  }

  #check(): void {
    if (this.#isClosed) {
      throw new StoreError('unreachable', `${this.label} was closed by this process: open it again`);
    }
    // A file that was removed is still open here, and whoever opens its path has another one: two sets of leases.
    let inode = 'gone';
    try {
      inode = inodeOf(this.#file.path);
    } catch {}
    if (inode !== this.#file.inode) {
      throw new StoreError(
        'unusable',
        `${this.label}: the file was removed or replaced while it was in use: restart every process that uses it`,
      );
    }
  }
}
