/**
 * The tables of PostgresLeaseStore and how they are made. Made twice, or by many at once, they are as made once; a
 * table that is there is never changed. The layout has a version, and a store of another version does not touch it.
 *
 * The schema is always written out. Were it left to search_path, two roles could each find a table of their own, and
 * each elect a leader.
 */
import { InputError } from '../../../errors/hustings-error.ts';

export const LAYOUT_VERSION = 2;

/** All quoted, ready to stand in a statement. */
export interface PostgresTables {
  readonly schema: string;
  readonly lease: string;
  readonly term: string;
  readonly layout: string;
}

export function postgresTables(schema: string): PostgresTables {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: NUL ends an identifier in PostgreSQL.
  if (schema === '' || /\u0000/.test(schema) || Buffer.byteLength(schema) > 63) {
    throw new InputError(
      `expected a schema of 1 to 63 bytes, got ${JSON.stringify(schema)}: give its name as it is`,
    );
  }
  const quoted = quoteIdentifier(schema);
  const prefix = `${quoted}.hustings_`;
  return { schema: quoted, lease: `${prefix}lease`, term: `${prefix}term`, layout: `${prefix}layout` };
}

/**
 * Names are compared byte by byte (COLLATE "C"), so that no locale takes two of them for one. Half of each page stays
 * free and no column that a renewal writes is indexed: renewals then rewrite rows in place, without touching the index.
 * A term is written once, when it ends: while it lasts, the lease is its record.
 */
export function createStatements({ lease, term, layout }: PostgresTables): readonly string[] {
  return [
    `CREATE TABLE IF NOT EXISTS ${layout} (version integer PRIMARY KEY)`,
    `CREATE TABLE IF NOT EXISTS ${lease} (
  name text COLLATE "C" PRIMARY KEY,
  token bigint NOT NULL,
  version bigint NOT NULL,
  holder text COLLATE "C",
  nonce text COLLATE "C",
  ttl_ms bigint,
  priority double precision,
  process_proof text,
  evicted boolean NOT NULL DEFAULT false,
  start_ms bigint,
  until_ms bigint NOT NULL,
  successor text COLLATE "C",
  transfer_to text COLLATE "C",
  challenger text COLLATE "C",
  challenger_priority double precision,
  challenger_since_ms bigint,
  challenger_until_ms bigint
) WITH (fillfactor = 50)`,
    `CREATE TABLE IF NOT EXISTS ${term} (
  name text COLLATE "C" NOT NULL,
  token bigint NOT NULL,
  holder text COLLATE "C" NOT NULL,
  nonce text COLLATE "C" NOT NULL,
  start_ms bigint NOT NULL,
  end_ms bigint NOT NULL,
  cause text NOT NULL,
  claimed_until_ms bigint NOT NULL,
  PRIMARY KEY (name, token, start_ms)
)`,
    `INSERT INTO ${layout} (version) SELECT ${LAYOUT_VERSION} WHERE NOT EXISTS (SELECT FROM ${layout})
  ON CONFLICT DO NOTHING`,
  ];
}

export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** What a role needs to hold leases in tables that another has made. */
export function grantStatements(
  { schema, lease, term, layout }: PostgresTables,
  role: string,
): readonly string[] {
  const grantee = quoteIdentifier(role);
  return [
    `GRANT USAGE ON SCHEMA ${schema} TO ${grantee}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ${lease}, ${term}, ${layout} TO ${grantee}`,
  ];
}
