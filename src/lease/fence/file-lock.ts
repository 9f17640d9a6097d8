/**
 * One at a time, over all processes of one machine. The lock is the kernel's own on a file beside the guarded one, taken through
 * SQLite, since Node has no call for it: it ends with its process, also by kill −9, and leaves nothing to clean up or to
 * break. The lock file stays, and stays empty: deleting it while it is in use would make two locks of one.
 *
 * A process that is stopped while it holds the lock keeps it: others wait, and give up after `waitMs`. Between machines the lock is
 * worth nothing: a network file system is refused, as far as it can be known for one.
 */
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isBusy, loadSqlite, type SqliteDatabase } from '../sqlite-library.ts';
import { StoreError } from '../store-error.ts';
import { sharedFileSystem } from '../stores/sqlite/file-system.ts';
import { sqliteError } from '../stores/sqlite/sqlite-error.ts';

export interface LockOptions {
  /** How long to wait for others; 10 s if not given. */
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
      `cannot lock ${path} on ${shared}, where locks do not hold: take a local disk`,
    );
  }
  const endMs = performance.now() + waitMs;
  for (;;) {
    let database: SqliteDatabase | undefined;
    try {
      database = new DatabaseSync(path);
      // The pause is ours: SQLite's own would block the event loop. Nothing is ever written, so no journal is needed.
      database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
      return database;
    } catch (cause) {
      database?.close();
      if (!isBusy(cause)) throw sqliteError(`the lock ${path}`, cause);
      if (performance.now() >= endMs) {
        throw new StoreError(
          'busy',
          `another process has held ${path} for ${waitMs} ms: look for one that is stopped`,
          cause,
        );
      }
    }
    // Not in step with the others that wait.
    await sleep(Math.random() * LONGEST_PAUSE_MS);
  }
}
