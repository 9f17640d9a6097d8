/**
 * The tables of MysqlLeaseStore and the statements that create them. The layout has a version, and the earliest version that
 * can use it: a later version adds only columns that may be null and that this version leaves alone. So a store that finds
 * an earlier layout adds the columns, while processes of that version go on.
 *
 * Texts are binary: every collation that both servers have treats some different names as equal, at least `job` and `job `.
 * A term is inserted when it ends; until then the lease is its record. `start_ms` of a free lease is the end of its latest
 * term. `stamp` is a random number that every write replaces: a write takes effect only on the stamp that it has seen.
 */

export const LAYOUT_VERSION = 4;
export const COMPATIBLE_FROM = 3;

export const TABLES = [
  'hustings_layout',
  'hustings_lease',
  'hustings_term',
  'hustings_candidate',
  'hustings_tick',
] as const;

const TEXT = 'VARBINARY(255)';

export const CREATE_STATEMENTS: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS hustings_layout (
  version INT NOT NULL PRIMARY KEY,
  compatible_from INT NOT NULL,
  past_token BIGINT NOT NULL DEFAULT 0
) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS hustings_lease (
  name ${TEXT} NOT NULL PRIMARY KEY,
  stamp BIGINT NOT NULL,
  token BIGINT NOT NULL,
  version BIGINT NOT NULL,
  terms BIGINT NOT NULL,
  holder ${TEXT},
  nonce ${TEXT},
  ttl_ms BIGINT,
  priority DOUBLE,
  process_proof BLOB,
  evicted TINYINT NOT NULL DEFAULT 0,
  stand_back_ms BIGINT NOT NULL DEFAULT 0,
  start_ms BIGINT NOT NULL,
  until_ms BIGINT NOT NULL,
  span_ms BIGINT NOT NULL,
  not_before_ms BIGINT NOT NULL DEFAULT 0,
  hold_ms BIGINT NOT NULL DEFAULT 0,
  successor ${TEXT},
  transfer_to ${TEXT},
  challenger ${TEXT},
  challenger_priority DOUBLE,
  challenger_since_ms BIGINT,
  challenger_until_ms BIGINT,
  metadata BLOB,
  checkpoint BLOB,
  updates BIGINT
) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS hustings_term (
  name ${TEXT} NOT NULL,
  token BIGINT NOT NULL,
  number BIGINT NOT NULL,
  holder ${TEXT} NOT NULL,
  nonce ${TEXT} NOT NULL,
  start_ms BIGINT NOT NULL,
  end_ms BIGINT NOT NULL,
  cause VARBINARY(40) NOT NULL,
  claimed_until_ms BIGINT NOT NULL,
  metadata BLOB,
  PRIMARY KEY (name, token, start_ms)
) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS hustings_candidate (
  name ${TEXT} NOT NULL,
  nonce ${TEXT} NOT NULL,
  id ${TEXT} NOT NULL,
  priority DOUBLE NOT NULL,
  at_ms BIGINT NOT NULL,
  until_ms BIGINT NOT NULL,
  place BIGINT,
  PRIMARY KEY (name, nonce)
) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS hustings_tick (
  name ${TEXT} NOT NULL,
  tick_ms BIGINT NOT NULL,
  state VARBINARY(40) NOT NULL,
  token BIGINT NOT NULL,
  holder ${TEXT} NOT NULL,
  start_ms BIGINT NOT NULL,
  end_ms BIGINT,
  PRIMARY KEY (name, tick_ms)
) ENGINE=InnoDB`,
  `INSERT INTO hustings_layout (version, compatible_from)
  SELECT ${LAYOUT_VERSION}, ${COMPATIBLE_FROM} FROM (SELECT COUNT(*) AS layouts FROM hustings_layout) AS found WHERE layouts = 0
  ON DUPLICATE KEY UPDATE compatible_from = hustings_layout.compatible_from`,
];

/** What version 4 adds to version 3. A column that is there is an error of its own: MySQL has no IF NOT EXISTS for it. */
export const ADD_STATEMENTS: readonly string[] = [
  'ALTER TABLE hustings_lease ADD COLUMN metadata BLOB, ADD COLUMN checkpoint BLOB, ADD COLUMN updates BIGINT',
  'ALTER TABLE hustings_term ADD COLUMN metadata BLOB',
  'ALTER TABLE hustings_candidate ADD COLUMN place BIGINT',
  `UPDATE hustings_layout SET version = ${LAYOUT_VERSION} WHERE version = ${COMPATIBLE_FROM}`,
];

const quote = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

/** The permissions that an account needs on tables that another account created. `account` is quoted, as 'user'@'host'. */
export const grantStatements = (database: string, account: string): readonly string[] =>
  TABLES.map((table) => `GRANT SELECT, INSERT, UPDATE, DELETE ON ${quote(database)}.${table} TO ${account}`);

/** From any host, because the server alone knows from which one this account connects. */
export const accountOf = (user: string): string => `'${user.replaceAll("'", "''")}'@'%'`;
