/**
 * The synchronous SQLite of Node: built in from 22.13 on, before that from the package @photostructure/sqlite, which
 * has the same API. Only what the store uses is declared.
 */
import { StoreError } from '../store-error.ts';

export type SqliteValue = string | number | bigint | null;

export interface SqliteStatement {
  run(...values: SqliteValue[]): unknown;
  get(...values: SqliteValue[]): Readonly<Record<string, SqliteValue>> | undefined;
  all(...values: SqliteValue[]): Readonly<Record<string, SqliteValue>>[];
  setReadBigInts(enabled: boolean): void;
}

export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

export interface SqliteDriver {
  /** `timeout` is how long a statement may block the process while another one writes. */
  readonly DatabaseSync: new (
    path: string,
    options: { timeout: number },
  ) => SqliteDatabase;
}

export async function loadSqlite(): Promise<SqliteDriver> {
  const builtIn = process.getBuiltinModule?.('node:sqlite' as 'node:fs') as unknown as
    | SqliteDriver
    | undefined;
  if (builtIn !== undefined) return builtIn;
  try {
    return (await import('@photostructure/sqlite')) as unknown as SqliteDriver;
  } catch (error) {
    throw new StoreError(
      'unusable',
      `SQLite needs Node 22.13 or a package, and neither is here (Node ${process.versions.node}): ` +
        'npm install @photostructure/sqlite',
      error,
    );
  }
}
