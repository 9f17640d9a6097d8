/**
 * The tables of PostgresLeaseStore and the statements that create them. The statements are idempotent. The layout has a
 * version, and the earliest version that can use it: a later version adds only columns that may be null and that this version
 * leaves alone. So a store that finds an earlier layout adds the columns, while processes of that version go on. A store does
 * not use tables that it does not understand.
 *
 * The schema is always explicit. With search_path, two roles could each find their own table, and each elect a leader.
 */
import { InputError } from '@hustings/base';

export const LAYOUT_VERSION = 4;
export const COMPATIBLE_FROM = 3;

/** Quoted, for use in a statement. */
export interface PostgresTables {
  readonly schema: string;
  readonly lease: string;
  readonly term: string;
  /** Waiting candidates. */
  readonly candidate: string;
  readonly tick: string;
  readonly layout: string;
}

export function postgresTables(schema: string): PostgresTables {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: NUL ends an identifier in PostgreSQL.
  if (schema === '' || /\u0000/.test(schema) || Buffer.byteLength(schema) > 63) {
    throw new InputError(
      `schema must have 1 to 63 bytes and no NUL, not be ${JSON.stringify(schema)}; give the name without quotes`,
    );
  }
  const quoted = quoteIdentifier(schema);
  const prefix = `${quoted}.hustings_`;
  return {
    schema: quoted,
    lease: `${prefix}lease`,
    term: `${prefix}term`,
    candidate: `${prefix}candidate`,
    tick: `${prefix}tick`,
    layout: `${prefix}layout`,
  };
}

/**
 * Names are compared byte by byte (COLLATE "C"), so that no locale treats two names as equal. Half of each page stays free,
 * and no column that a renewal writes is indexed, so renewals are heap-only updates. A term is inserted when it ends; until
 * then the lease is its record. The lease also has the latest tick, because a statement sees only the rows that it has locked
 * as they are now. `start_ms` of a free lease is the end of its latest term.
 */
export function createStatements({
  lease,
  term,
  candidate,
  tick,
  layout,
}: PostgresTables): readonly string[] {
  return [
    `CREATE TABLE IF NOT EXISTS ${layout} (
  version integer PRIMARY KEY,
  compatible_from integer NOT NULL,
  past_token bigint NOT NULL DEFAULT 0
)`,
    `CREATE TABLE IF NOT EXISTS ${lease} (
  name text COLLATE "C" PRIMARY KEY,
  token bigint NOT NULL,
  version bigint NOT NULL,
  terms bigint NOT NULL,
  holder text COLLATE "C",
  nonce text COLLATE "C",
  ttl_ms bigint,
  priority double precision,
  process_proof text,
  evicted boolean NOT NULL DEFAULT false,
  stand_back_ms bigint NOT NULL DEFAULT 0,
  start_ms bigint NOT NULL,
  until_ms bigint NOT NULL,
  span_ms bigint NOT NULL,
  not_before_ms bigint NOT NULL DEFAULT 0,
  hold_ms bigint NOT NULL DEFAULT 0,
  successor text COLLATE "C",
  transfer_to text COLLATE "C",
  challenger text COLLATE "C",
  challenger_priority double precision,
  challenger_since_ms bigint,
  challenger_until_ms bigint,
  tick_ms bigint,
  tick_token bigint,
  tick_running boolean NOT NULL DEFAULT false,
  metadata text,
  checkpoint text,
  updates bigint
) WITH (fillfactor = 50)`,
    `CREATE TABLE IF NOT EXISTS ${term} (
  name text COLLATE "C" NOT NULL,
  token bigint NOT NULL,
  number bigint NOT NULL,
  holder text COLLATE "C" NOT NULL,
  nonce text COLLATE "C" NOT NULL,
  start_ms bigint NOT NULL,
  end_ms bigint NOT NULL,
  cause text NOT NULL,
  claimed_until_ms bigint NOT NULL,
  metadata text,
  PRIMARY KEY (name, token, start_ms)
)`,
    `CREATE TABLE IF NOT EXISTS ${candidate} (
  name text COLLATE "C" NOT NULL,
  nonce text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  priority double precision NOT NULL,
  at_ms bigint NOT NULL,
  until_ms bigint NOT NULL,
  place bigint,
  PRIMARY KEY (name, nonce)
) WITH (fillfactor = 50)`,
    `CREATE TABLE IF NOT EXISTS ${tick} (
  name text COLLATE "C" NOT NULL,
  tick_ms bigint NOT NULL,
  state text NOT NULL,
  token bigint NOT NULL,
  holder text COLLATE "C" NOT NULL,
  start_ms bigint NOT NULL,
  end_ms bigint,
  PRIMARY KEY (name, tick_ms)
)`,
    `INSERT INTO ${layout} (version, compatible_from) SELECT ${LAYOUT_VERSION}, ${COMPATIBLE_FROM}
  WHERE NOT EXISTS (SELECT FROM ${layout}) ON CONFLICT DO NOTHING`,
  ];
}

/** What version 4 adds to version 3. */
export const addStatements = ({ lease, term, candidate, layout }: PostgresTables): readonly string[] => [
  `ALTER TABLE ${lease} ADD COLUMN IF NOT EXISTS metadata text, ADD COLUMN IF NOT EXISTS checkpoint text,
  ADD COLUMN IF NOT EXISTS updates bigint`,
  `ALTER TABLE ${term} ADD COLUMN IF NOT EXISTS metadata text`,
  `ALTER TABLE ${candidate} ADD COLUMN IF NOT EXISTS place bigint`,
  `UPDATE ${layout} SET version = ${LAYOUT_VERSION} WHERE version = ${COMPATIBLE_FROM}`,
];

export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The permissions that a role needs on tables that another role created. */
export function grantStatements(
  { schema, lease, term, candidate, tick, layout }: PostgresTables,
  role: string,
): readonly string[] {
  const grantee = quoteIdentifier(role);
  return [
    `GRANT USAGE ON SCHEMA ${schema} TO ${grantee}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ${lease}, ${term}, ${candidate}, ${tick}, ${layout} TO ${grantee}`,
  ];
}
