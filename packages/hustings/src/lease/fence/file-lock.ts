/**
 * A mutual-exclusion lock for all processes of one machine: a kernel lock on a file beside the guarded one. It is taken through
 * SQLite, because Node has no call for it. The lock ends with its process, also with kill −9, and leaves nothing to clean up.
 * The empty lock file stays: deleting it while it is in use would make two locks of one.
 *
 * A process that is stopped while it holds the lock keeps it. Others wait, and give up after `waitMs`. The lock does not work
 * between machines: known network file systems are refused.
 */
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '../core/store-error.ts';
import { sharedFileSystem } from '../stores/sqlite/file-system.ts';
import { sqliteError } from '../stores/sqlite/sqlite-error.ts';
import { isBusy, loadSqlite, type SqliteDatabase } from '../stores/sqlite-library.ts';

/** How to take a file lock. */
export interface LockOptions {
  /** How long to wait for the lock; 10 s by default. */
  readonly waitMs?: number | undefined;
}

const DEFAULT_WAIT_MS = 10_000;
const LONGEST_PAUSE_MS = 20;

export async function withFileLock<T>(
  path: string,
  { waitMs = DEFAULT_WAIT_MS }: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  const database = await take(path, waitMs);
  try {
    return await work();
  } finally {
    database.close();
  }
}

async function take(path: string, waitMs: number): Promise<SqliteDatabase> {
  const { DatabaseSync } = await loadSqlite();
  const shared = sharedFileSystem(dirname(resolve(path)));
  if (shared !== null) {
    throw new StoreError(
      'unusable',
      `cannot lock ${path} on ${shared}, where locks are not reliable; use a local disk`,
    );
  }
  const endMs = performance.now() + waitMs;
  for (;;) {
    let database: SqliteDatabase | undefined;
    try {
      database = new DatabaseSync(path);
      // Without SQLite's busy timeout, which would block the event loop. Nothing is written, so no journal is needed.
      database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
      return database;
    } catch (cause) {
      database?.close();
      if (!isBusy(cause)) throw sqliteError(`the lock ${path}`, cause);
      if (performance.now() >= endMs) {
        throw new StoreError(
          'busy',
          `another process has held ${path} for ${waitMs} ms; look for a stopped process`,
          cause,
        );
      }
    }
    // A random pause, so that waiting processes do not retry together.
    await sleep(Math.random() * LONGEST_PAUSE_MS);
  }
}
