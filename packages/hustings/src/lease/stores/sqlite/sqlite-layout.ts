/**
 * The tables of the file, and their version. A process may use any layout from its own version on whose `compatible_from` is
 * not above that: later versions add only columns that may be null, and every statement names its columns. So a process
 * that finds an earlier layout adds the columns, while processes of that version go on.
 */
import { StoreError } from '../../core/store-error.ts';
import type { SqliteDatabase } from '../sqlite-library.ts';

export const LAYOUT_VERSION = 4;
const COMPATIBLE_FROM = 3;

/** What version 4 adds to version 3. */
const ADDED: readonly string[] = [
  'ALTER TABLE hustings_lease ADD COLUMN metadata TEXT',
  'ALTER TABLE hustings_lease ADD COLUMN checkpoint TEXT',
  'ALTER TABLE hustings_lease ADD COLUMN updates INTEGER',
  'ALTER TABLE hustings_term ADD COLUMN metadata TEXT',
  'ALTER TABLE hustings_candidate ADD COLUMN place INTEGER',
];

export const TABLES: readonly string[] = [
  // `past_token`: no election gives this token or a smaller one again. `past_change`: nor does a change get this number.
  `CREATE TABLE IF NOT EXISTS hustings_layout (
  version INTEGER NOT NULL, compatible_from INTEGER NOT NULL, past_token INTEGER NOT NULL, past_change INTEGER NOT NULL
) STRICT`,
  `CREATE TABLE IF NOT EXISTS hustings_lease (
  name TEXT PRIMARY KEY, token INTEGER NOT NULL, version INTEGER NOT NULL,
  boot TEXT NOT NULL, until_ms INTEGER NOT NULL, span_ms INTEGER NOT NULL, until_wall_ms INTEGER NOT NULL,
  not_before_ms INTEGER NOT NULL, not_before_wall_ms INTEGER NOT NULL, hold_ms INTEGER NOT NULL,
  stand_back_ms INTEGER NOT NULL,
  holder TEXT, nonce TEXT, ttl_ms INTEGER, priority INTEGER, process_proof TEXT, evicted INTEGER,
  successor TEXT, transfer_to TEXT,
  challenger TEXT, challenger_priority INTEGER, challenger_since_ms INTEGER, challenger_until_ms INTEGER,
  challenger_span_ms INTEGER,
  terms INTEGER NOT NULL, written_wall_ms INTEGER NOT NULL, change INTEGER NOT NULL DEFAULT 0,
  metadata TEXT, checkpoint TEXT, updates INTEGER
) STRICT, WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS hustings_lease_change ON hustings_lease (change)',
  `CREATE TABLE IF NOT EXISTS hustings_term (
  name TEXT NOT NULL, token INTEGER NOT NULL, holder TEXT NOT NULL, nonce TEXT NOT NULL,
  start_ms INTEGER NOT NULL, end_ms INTEGER, cause TEXT, claimed_until_ms INTEGER NOT NULL, metadata TEXT,
  PRIMARY KEY (name, token)
) STRICT, WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS hustings_candidate (
  name TEXT NOT NULL, nonce TEXT NOT NULL, id TEXT NOT NULL, priority INTEGER NOT NULL,
  at_ms INTEGER NOT NULL, until_ms INTEGER NOT NULL, place INTEGER,
  PRIMARY KEY (name, nonce)
) STRICT, WITHOUT ROWID`,
  // When a process of `boot` first met this version of a row of another boot, on the clock of `boot`.
  `CREATE TABLE IF NOT EXISTS hustings_observation (
  name TEXT NOT NULL, boot TEXT NOT NULL, version INTEGER NOT NULL, since_ms INTEGER NOT NULL,
  PRIMARY KEY (name, boot)
) STRICT, WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS hustings_tick (
  name TEXT NOT NULL, tick_ms INTEGER NOT NULL, state TEXT NOT NULL, token INTEGER NOT NULL, holder TEXT NOT NULL,
  start_ms INTEGER NOT NULL, end_ms INTEGER,
  PRIMARY KEY (name, tick_ms)
) STRICT, WITHOUT ROWID`,
];

/** Within a transaction. */
export function createTables(database: SqliteDatabase): void {
  for (const table of TABLES) database.exec(table);
  database.exec(
    `INSERT INTO hustings_layout (version, compatible_from, past_token, past_change)
     SELECT ${LAYOUT_VERSION}, ${COMPATIBLE_FROM}, 0, 0 WHERE NOT EXISTS (SELECT 1 FROM hustings_layout)`,
  );
}

/** Within a transaction. */
export function addColumns(database: SqliteDatabase): void {
  if (!isEarlier(database)) return;
  for (const statement of ADDED) database.exec(statement);
  database.exec(`UPDATE hustings_layout SET version = ${LAYOUT_VERSION}`);
}

/** Whether `addColumns` has something to do. */
export const isEarlier = (database: SqliteDatabase): boolean =>
  layoutOf(database).version === COMPATIBLE_FROM;

function layoutOf(database: SqliteDatabase): {
  readonly version: number;
  readonly compatibleFrom: number;
} {
  const { tables } = database
    .prepare("SELECT count(*) AS tables FROM sqlite_schema WHERE name = 'hustings_layout'")
    .get()!;
  const rows =
    tables === 0 ? [] : database.prepare('SELECT version, compatible_from FROM hustings_layout').all();
  const [row] = rows.length === 1 ? rows : [];
  return {
    version: Number(row?.version ?? Number.NaN),
    compatibleFrom: Number(row?.compatible_from ?? Number.NaN),
  };
}

export function checkLayout(database: SqliteDatabase, label: string): void {
  const { version, compatibleFrom } = layoutOf(database);
  if (version >= LAYOUT_VERSION && compatibleFrom <= LAYOUT_VERSION) return;
  const found = version >= 0 ? `version ${version}, for version ${compatibleFrom} and later` : 'none';
  throw new StoreError(
    'unprepared',
    `${label}: this release of hustings uses layout version ${LAYOUT_VERSION}, and the layout of the file is ${found}; ` +
      'use the release that created the file, or another file',
  );
}
