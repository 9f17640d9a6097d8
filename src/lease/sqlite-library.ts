/** SQLite as Node has it from 22.13 on, or, before that, the package with the same interface. Neither is loaded until it is asked for. */
import { StoreError } from './store-error.ts';

export type SqliteValue = string | number | bigint | null;
export type SqliteRow = Readonly<Record<string, SqliteValue>>;

/** The part of `node:sqlite` that is used here. */
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
  /** `timeout` is how many milliseconds a statement may block the process while another one writes. */
  readonly DatabaseSync: new (
    path: string,
    options?: { readonly timeout: number },
  ) => SqliteDatabase;
}

// As variables, so that neither the compiler nor a bundler insists on finding them.
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
    'expected SQLite, which this Node does not bring: npm install @photostructure/sqlite, or use Node 22.13 or later',
    cause,
  );
}

/** Another connection has the lock, on this file, at this moment. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === 5 || code === 6;
}

/** SQLite's primary result code, which is the low byte: 5 is SQLITE_BUSY, 6 SQLITE_LOCKED; undefined for errors of others. */
export function sqliteCode(error: unknown): number | undefined {
  const { errcode } = (error ?? {}) as { errcode?: unknown };
  return typeof errcode === 'number' ? errcode & 0xff : undefined;
}
