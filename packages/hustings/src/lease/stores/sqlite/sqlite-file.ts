/**
 * The database file. A missing file is created with its tables, with permissions for this user only. A file of another
 * program, of an incompatible layout, or on a file system that other hosts can write to is refused.
 */
import { closeSync, existsSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '../../core/store-error.ts';
import { userStoreUrl } from '../../default-store.ts';
import { isBusy, loadSqlite, type SqliteDatabase } from '../sqlite-library.ts';
import { sharedFileSystem } from './file-system.ts';
import { sqliteError } from './sqlite-error.ts';
import { addColumns, checkLayout, createTables, isEarlier } from './sqlite-layout.ts';

/** "hust": distinguishes the file from the files of other programs. */
const APPLICATION_ID = 0x68757374;
/** How long a statement may block this process while another process writes. */
export const BLOCK_MS = 4;
const OPEN_WAIT_MS = 5_000;

export interface SqliteFile {
  /** Absolute and without links: the same for all processes that use the file. */
  readonly path: string;
  readonly database: SqliteDatabase;
  /** Identifies the file that was opened. */
  readonly inode: string;
}

export async function openSqliteFile(path: string, label: string): Promise<SqliteFile> {
  const driver = await loadSqlite();
  try {
    const real = makeFile(resolve(path), label);
    const database = new driver.DatabaseSync(real, { timeout: BLOCK_MS });
    try {
      await prepare(database, label);
      return { path: real, database, inode: inodeOf(real) };
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw sqliteError(label, error);
  }
}

/** A removed file is still open here, while the next process to open the path gets another file: two sets of leases. */
export function checkInPlace({ path, inode }: SqliteFile, label: string): void {
  let found = 'gone';
  try {
    found = inodeOf(path);
  } catch {}
  if (found === inode) return;
  throw new StoreError(
    'unusable',
    `${label}: the file was removed or replaced while in use; restart every process that uses it`,
  );
}

/** Identifies the file that is at the path now. */
function inodeOf(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}:${ino}`;
}

function makeFile(path: string, label: string): string {
  const parent = dirname(path);
  // A missing folder may be a disk that is not mounted: created here, it would give each host its own leader.
  if (userStoreUrl(process.env) === `sqlite:${path}`) mkdirSync(parent, { recursive: true, mode: 0o700 });
  else if (!existsSync(parent)) {
    throw new StoreError(
      'unusable',
      `${label}: the folder ${parent} does not exist; create it, or correct the path`,
    );
  }
  const folder = realpathSync(parent);
  const shared = sharedFileSystem(folder);
  if (shared !== null) {
    throw new StoreError(
      'unusable',
      `${label}: the file must be on a local file system, not on ${shared}; ` +
        'use a local disk, or Redis or PostgreSQL if several hosts take part',
    );
  }
  const file = join(folder, basename(path));
  if (!existsSync(file)) create(file);
  const real = realpathSync(file);
  if (statSync(real).isDirectory()) throw Object.assign(new Error(`${real} is a folder`), { code: 'EISDIR' });
  return real;
}

/**
 * With permissions for this user only, which SQLite copies to the files beside it. An existing file keeps its permissions and
 * is never opened here: closing it would drop the locks that this process holds on it through SQLite.
 */
function create(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    // Another process was first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Several processes may do this at once: the second one finds it done, or waits. */
async function prepare(database: SqliteDatabase, label: string): Promise<void> {
  const endMs = performance.now() + OPEN_WAIT_MS;
  for (;;) {
    try {
      checkOwner(database, label);
      // Every transaction is on disk before it is answered.
      database.exec('PRAGMA journal_mode = WAL');
      database.exec('PRAGMA synchronous = FULL');
      makeTables(database, label);
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > endMs) throw error;
      await sleep(5 + Math.random() * 20);
    }
  }
}

function pragma(database: SqliteDatabase, name: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${name}`).get()!)[0]);
}

function checkOwner(database: SqliteDatabase, label: string): void {
  // Tables first: another process commits them together with the id. A process that has seen them also reads the id.
  const { count } = database.prepare('SELECT count(*) AS count FROM sqlite_schema').get()!;
  const id = pragma(database, 'application_id');
  if (id === APPLICATION_ID || (id === 0 && Number(count) === 0)) return;
  throw new StoreError(
    'unusable',
    `${label}: the file is the database of another program; use a separate file for leases`,
  );
}

function makeTables(database: SqliteDatabase, label: string): void {
  // The tables and the application id are created in one transaction: no process sees a part of them.
  if (pragma(database, 'application_id') !== APPLICATION_ID) {
    transact(database, () => {
      checkOwner(database, label);
      createTables(database);
      database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    });
  }
  if (isEarlier(database)) transact(database, () => addColumns(database));
  checkLayout(database, label);
}

function transact(database: SqliteDatabase, work: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}
