/** SQLite as Node has it from 22.13 on, or, before that, the package with the same interface. Neither is loaded until it is asked for. */
import { StoreError } from './store-error.ts';

/** The part of `node:sqlite` that is used here. */
export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

export interface SqliteStatement {
  all(...params: readonly (string | bigint | number | null)[]): unknown[];
}

interface SqliteLibrary {
  readonly DatabaseSync: new (path: string) => SqliteDatabase;
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
  const { errcode } = error as { errcode?: unknown };
  // The low byte is the primary code: 5 is SQLITE_BUSY, 6 SQLITE_LOCKED.
  return typeof errcode === 'number' && [5, 6].includes(errcode & 0xff);
}
