/**
 * The database file: made if it is missing, for this user alone, with its tables; refused if it is not ours, of another
 * version, or on a file system that more than one kernel may write to.
 */
import { closeSync, existsSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultStoreUrl } from '../../default-store.ts';
import { isBusy, loadSqlite, type SqliteDatabase } from '../../sqlite-library.ts';
import { StoreError } from '../../store-error.ts';
import { sharedFileSystem } from './file-system.ts';
import { sqliteError } from './sqlite-error.ts';

const TABLE_VERSION = 2;
/** "hust", so that a file of another program is never taken for ours. */
const APPLICATION_ID = 0x68757374;
/** How long one statement may hold up this process while another one writes. */
export const BLOCK_MS = 4;
const OPEN_PATIENCE_MS = 5_000;

export const TABLES: readonly string[] = [
  'CREATE TABLE IF NOT EXISTS hustings_version (version INTEGER NOT NULL) STRICT',
  `CREATE TABLE IF NOT EXISTS hustings_lease (
  name TEXT PRIMARY KEY, token INTEGER NOT NULL, version INTEGER NOT NULL,
  boot TEXT NOT NULL, until_ms INTEGER NOT NULL, span_ms INTEGER NOT NULL, until_wall_ms INTEGER NOT NULL,
  holder TEXT, nonce TEXT, ttl_ms INTEGER, priority INTEGER, process_proof TEXT, evicted INTEGER,
  successor TEXT, transfer_to TEXT,
  challenger TEXT, challenger_priority INTEGER, challenger_since_ms INTEGER, challenger_until_ms INTEGER
) STRICT, WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS hustings_term (
  name TEXT NOT NULL, token INTEGER NOT NULL, holder TEXT NOT NULL, nonce TEXT NOT NULL,
  start_ms INTEGER NOT NULL, end_ms INTEGER, cause TEXT, claimed_until_ms INTEGER NOT NULL,
  PRIMARY KEY (name, token)
) STRICT, WITHOUT ROWID`,
];

export interface SqliteFile {
  /** Absolute, links resolved: what this process and others call the same file. */
  readonly path: string;
  readonly database: SqliteDatabase;
  /** Which file the path named when it was opened. */
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

/** The identity of the file that the path names now. */
export function inodeOf(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}:${ino}`;
}

function makeFile(path: string, label: string): string {
  const parent = dirname(path);
  // A folder that is missing may be a disk that is not mounted: made here, it would give each host a leader of its own.
  if (defaultStoreUrl() === `sqlite:${path}`) mkdirSync(parent, { recursive: true, mode: 0o700 });
  else if (!existsSync(parent)) {
    throw new StoreError(
      'unusable',
      `${label}: expected the folder ${parent} to be there: make it, or mend the path`,
    );
  }
  const folder = realpathSync(parent);
  const shared = sharedFileSystem(folder);
  if (shared !== null) {
    throw new StoreError(
      'unusable',
      `${label}: expected a file system of this host alone, got ${shared}: ` +
        'put the file on a local disk, or take Redis or PostgreSQL where several hosts take part',
    );
  }
  const file = join(folder, basename(path));
  if (!existsSync(file)) create(file);
  const real = realpathSync(file);
  if (statSync(real).isDirectory()) throw Object.assign(new Error(`${real} is a folder`), { code: 'EISDIR' });
  return real;
}

/**
 * With rights for this user alone, which SQLite gives the files beside it too; a file that is there keeps those that it
 * has, and is never opened here: to close it would drop the locks that this process holds on it through SQLite.
 */
function create(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    // Another process was first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Several processes may do this at once: who comes second finds it done, or waits. */
async function prepare(database: SqliteDatabase, label: string): Promise<void> {
  const endMs = performance.now() + OPEN_PATIENCE_MS;
  for (;;) {
    try {
      checkOwner(database, label);
      // Every answer is on disk before it is given.
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
  if (pragma(database, 'application_id') === APPLICATION_ID) return;
  const { count } = database.prepare('SELECT count(*) AS count FROM sqlite_schema').get()!;
  if (Number(count) > 0 || pragma(database, 'application_id') !== 0) {
    throw new StoreError(
      'unusable',
      `${label}: expected a file of leases, got the database of another program: take a file of its own for leases`,
    );
  }
}

function makeTables(database: SqliteDatabase, label: string): void {
  // The tables and the mark that they are ours come in one transaction: half of them is never seen.
  if (pragma(database, 'application_id') !== APPLICATION_ID) {
    database.exec('BEGIN IMMEDIATE');
    try {
      checkOwner(database, label);
      for (const table of TABLES) database.exec(table);
      database.exec(
        `INSERT INTO hustings_version SELECT ${TABLE_VERSION} WHERE NOT EXISTS (SELECT 1 FROM hustings_version)`,
      );
      database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
      database.exec('COMMIT');
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
  }
  checkVersion(database, label);
}

export function checkVersion(database: SqliteDatabase, label: string): void {
  const rows = database.prepare('SELECT version FROM hustings_version').all();
  const version = rows.length === 1 ? Number(rows[0].version) : Number.NaN;
  if (version === TABLE_VERSION) return;
  const found = Number.isNaN(version) ? 'none' : String(version);
  throw new StoreError(
    'unprepared',
    `${label}: expected tables of version ${TABLE_VERSION}, got ${found}: ` +
      'run the version of hustings that made the file, or take another file',
  );
}
