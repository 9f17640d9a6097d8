/**
 * Prepares a connection: sets what the statements need of the session, and ensures that the tables exist, which are created
 * if the account may. Tables that this store has seen are never created again: what they said about leases and tokens would
 * be lost.
 */
import { StoreError } from '../../core/store-error.ts';
import type { MysqlAddress, MysqlClient, MysqlRow } from './mysql-client.ts';
import { DENIED, DUPLICATE_COLUMN, errnoOf, MISSING_TABLE, RACED } from './mysql-error.ts';
import {
  ADD_STATEMENTS,
  accountOf,
  COMPATIBLE_FROM,
  CREATE_STATEMENTS,
  grantStatements,
  LAYOUT_VERSION,
  TABLES,
} from './mysql-tables.ts';

/**
 * No write waits long for a lock. Under READ COMMITTED a look sees every write that was committed before it, and rows that were
 * only looked at are not locked. The last result proves that SYSDATE() is not an alias of NOW().
 */
const SESSION = [
  `SET SESSION time_zone = '+00:00', autocommit = 1, innodb_lock_wait_timeout = 1, lock_wait_timeout = 1,
  sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'`,
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
];
export const SYSDATE_IS_NOW = 'SELECT SYSDATE(6) AS first, SLEEP(0.002), SYSDATE(6) AS second';
export const isSysdateNow = ({ first, second }: MysqlRow): boolean => first === second;
export const SYSDATE_ADVICE =
  'SYSDATE() is an alias of NOW(), so leases would be judged by an old time: remove sysdate-is-now from the options of the server';

const FOUND_TABLES = `SELECT COUNT(*) AS found FROM information_schema.tables
  WHERE table_schema = DATABASE() AND engine = 'InnoDB' AND table_name IN (${TABLES.map((table) => `'${table}'`).join(', ')})`;
export const READ_LAYOUT =
  'SELECT version, compatible_from FROM hustings_layout ORDER BY version DESC LIMIT 1';

const MAX_RACES = 10;

/** What is wrong with the layout of the tables; null if this version can use them. */
export function layoutProblem({ version, compatible_from }: MysqlRow): string | null {
  if (Number(version) < COMPATIBLE_FROM) {
    return `the tables have layout ${version}, and this release needs layout ${LAYOUT_VERSION}; stop all candidates and remove the tables, or use another database`;
  }
  if (Number(compatible_from) > LAYOUT_VERSION) {
    return `the tables have layout ${version}, and this release knows layout ${LAYOUT_VERSION}; use a newer release of hustings`;
  }
  return null;
}

export class MysqlPreparation {
  readonly #address: MysqlAddress;
  readonly #checked = new WeakSet<MysqlClient>();
  #wasThere = false;

  constructor(address: MysqlAddress) {
    this.#address = address;
  }

  async ensure(client: MysqlClient): Promise<void> {
    if (this.#checked.has(client)) return;
    await this.startSession(client);
    if (!this.#wasThere) await this.make(client);
    else if ((await this.#state(client)) !== 'complete') throw this.#unprepared('the tables were removed');
    this.#checked.add(client);
    this.#wasThere = true;
  }

  async startSession(client: MysqlClient): Promise<void> {
    const results = await client.query([...SESSION, SYSDATE_IS_NOW]);
    if (isSysdateNow(results.at(-1)!.rows[0])) {
      throw new StoreError('unusable', `${this.#address.label}: ${SYSDATE_ADVICE}`);
    }
  }

  async make(client: MysqlClient): Promise<void> {
    for (let race = 0; ; race += 1) {
      const state = await this.#state(client);
      if (state === 'complete') return;
      const statements = state === 'earlier' ? ADD_STATEMENTS : CREATE_STATEMENTS;
      try {
        for (const statement of statements) await this.#runOnce(client, statement);
      } catch (error) {
        const errno = errnoOf(error);
        if (DENIED.includes(errno)) {
          throw state === 'earlier'
            ? this.#unprepared('this account may not add the columns of this release', ADD_STATEMENTS)
            : this.#unprepared('the tables are missing, and this account may not create them');
        }
        if (!RACED.includes(errno)) throw error;
      }
      if (race === MAX_RACES) throw this.#unprepared('the tables are not complete, or not of InnoDB');
    }
  }

  /** For an administrator: creates the tables and grants the user of the URL access to them. */
  statements(): readonly string[] {
    const { user, database } = this.#address;
    return [...CREATE_STATEMENTS, ...(user === '' ? [] : grantStatements(database, accountOf(user)))];
  }

  /** Another process may have added the column. */
  async #runOnce(client: MysqlClient, statement: string): Promise<void> {
    try {
      await client.query([statement]);
    } catch (error) {
      if (errnoOf(error) !== DUPLICATE_COLUMN) throw error;
    }
  }

  /** earlier: the tables lack the columns of this release. */
  async #state(client: MysqlClient): Promise<'missing' | 'earlier' | 'complete'> {
    try {
      const [found, layout] = await client.query([FOUND_TABLES, READ_LAYOUT]);
      if (layout.rows.length === 0) return 'missing';
      const problem = layoutProblem(layout.rows[0]);
      if (problem !== null) throw new StoreError('unprepared', `${this.#address.label}: ${problem}`);
      if (Number(found.rows[0].found) !== TABLES.length) return 'missing';
      return Number(layout.rows[0].version) < LAYOUT_VERSION ? 'earlier' : 'complete';
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === MISSING_TABLE) return 'missing';
      if (!DENIED.includes(errno)) throw error;
      const { user, database } = this.#address;
      const grants = grantStatements(database, accountOf(user));
      throw new StoreError(
        'denied',
        `${this.#address.label}: the account has no access to the tables; create them with \`hustings store init\`, and run ${grants.join('; ')}`,
      );
    }
  }

  #unprepared(what: string, needed = this.statements()): StoreError {
    const statements = needed.map((each) => each.replace(/\s+/g, ' '));
    return new StoreError(
      'unprepared',
      `${this.#address.label}: ${what}; run \`hustings store init\` with an account that may, or these: ${statements.join('; ')}`,
    );
  }
}
