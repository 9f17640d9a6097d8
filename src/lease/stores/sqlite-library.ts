/** SQLite from Node 22.13 or later, or a package with the same interface. Loaded on first use. */
import { StoreError } from '../store-error.ts';

export type SqliteValue = string | number | bigint | null;
export type SqliteRow = Readonly<Record<string, SqliteValue>>;

/** The part of `node:sqlite` that hustings uses. */
export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

export interface SqliteStatement {
  run(...values: readonly SqliteValue[]): unknown;
  get(...values: readonly SqliteValue[]): SqliteRow | undefined;
  all(...values: readonly SqliteValue[]): SqliteRow[];
  setReadBigInts(enabled: boolean): void;
}

interface SqliteLibrary {
  /** `timeout`: how many milliseconds a statement may block this process while another process writes. */
  readonly DatabaseSync: new (
    path: string,
    options?: { readonly timeout: number },
  ) => SqliteDatabase;
}

// Not literals in import(), so that neither the compiler nor a bundler resolves them.
const LIBRARIES: readonly string[] = ['node:sqlite', '@photostructure/sqlite'];

let loading: Promise<SqliteLibrary> | undefined;

export function loadSqlite(): Promise<SqliteLibrary> {
  loading ??= firstOf(LIBRARIES);
  return loading;
}

async function firstOf(names: readonly string[]): Promise<SqliteLibrary> {
  let cause: unknown;
  for (const name of names) {
    try {
      return (await import(name)) as SqliteLibrary;
    } catch (error) {
      cause = error;
    }
  }
  throw new StoreError(
    'unusable',
    'this version of Node has no SQLite; run npm install @photostructure/sqlite, or use Node 22.13 or later',
    cause,
  );
}

/** Another connection holds the lock of the file. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === 5 || code === 6;
}

/** The primary result code of SQLite, the low byte: 5 is SQLITE_BUSY, 6 SQLITE_LOCKED. Undefined for other errors. */
export function sqliteCode(error: unknown): number | undefined {
  const { errcode } = (error ?? {}) as { errcode?: unknown };
  return typeof errcode === 'number' ? errcode & 0xff : undefined;
}
