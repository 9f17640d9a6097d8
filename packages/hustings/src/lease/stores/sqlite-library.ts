/** SQLite from Node 22.13 or later, or a package with the same interface. Loaded on first use. */
import { StoreError } from '../core/store-error.ts';

export type SqliteValue = string | number | bigint | null;
export type SqliteRow = Readonly<Record<string, SqliteValue>>;

/** The part of `node:sqlite` that hustings uses. */
export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

export interface SqliteStatement {
  run(...values: readonly SqliteValue[]): { readonly changes: number | bigint };
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
const BUILT_IN = 'node:sqlite';
const PACKAGE = '@photostructure/sqlite';

let loading: Promise<SqliteLibrary> | undefined;

export function loadSqlite(): Promise<SqliteLibrary> {
  loading ??= import(BUILT_IN).catch(() => import(PACKAGE)).catch(refuse);
  return loading;
}

/** The package is an optional peer dependency: Node 22.13 and later need none. */
function refuse(error: unknown): never {
  const isMissing = (error as { code?: string }).code === 'ERR_MODULE_NOT_FOUND';
  const [said] = String((error as Error).message).split('\n');
  const why = isMissing ? 'is not installed' : `cannot be loaded (${said})`;
  throw new StoreError(
    'unusable',
    `a sqlite: store needs Node 22.13 or later, or the package ${PACKAGE}, which ${why}: npm install ${PACKAGE}`,
    error,
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
