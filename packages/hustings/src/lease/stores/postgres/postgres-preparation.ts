/**
 * Ensures that the tables exist: checks once per connection, and creates missing tables and columns if the role may. Tables that this
 * store has seen are never created again: what they said about leases and tokens would be lost.
 */
import { StoreError } from '../../core/store-error.ts';
import type { PostgresAddress, PostgresClient, PostgresRow } from './postgres-client.ts';
import {
  addStatements,
  COMPATIBLE_FROM,
  createStatements,
  grantStatements,
  LAYOUT_VERSION,
  type PostgresTables,
  quoteIdentifier,
} from './postgres-tables.ts';

const MISSING = ['42P01', '3F000'];
/** Errors of sessions that create the same table at the same time. */
const RACED = ['23505', '42P06', '42P07', '42710', '42701', '40P01', '40001', '55P03', 'XX000'];
/** All other statements wait behind one that adds a column and waits for a forgotten transaction. */
const LOCK_TIMEOUT = `SELECT set_config('lock_timeout', '200', true)`;
const MAX_RACES = 10;

/** Every layout has the column `version`. */
export function layoutStatement({ layout, lease, term, candidate, tick }: PostgresTables): string {
  const missing = [lease, term, candidate, tick].map(
    (table) => `to_regclass('${table.replaceAll("'", "''")}') IS NULL`,
  );
  return `SELECT version, COALESCE((to_jsonb(l)->>'compatible_from')::integer, version) AS compatible_from,
  pg_is_in_recovery() AS is_standby, NOT (${missing.join(' OR ')}) AS is_complete FROM ${layout} AS l`;
}

/** What is wrong with the layout of the tables; null if this version can use them. */
export function layoutProblem({ version, compatible_from }: PostgresRow): string | null {
  if (Number(version) < COMPATIBLE_FROM) {
    return `the tables have layout ${version}, and this release needs layout ${LAYOUT_VERSION}; stop all candidates and remove the tables, or use another schema`;
  }
  if (Number(compatible_from) > LAYOUT_VERSION) {
    return `the tables have layout ${version}, and this release knows layout ${LAYOUT_VERSION}; use a newer release of hustings`;
  }
  return null;
}

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? '';

export class PostgresPreparation {
  readonly #address: PostgresAddress;
  readonly #tables: PostgresTables;
  readonly #checked = new WeakSet<PostgresClient>();
  #wasThere = false;

  constructor(address: PostgresAddress, tables: PostgresTables) {
    this.#address = address;
    this.#tables = tables;
  }

  async ensure(client: PostgresClient): Promise<void> {
    if (this.#checked.has(client)) return;
    if (!this.#wasThere) await this.make(client);
    else if ((await this.#state(client)) !== 'complete') throw this.#unprepared('the tables were removed');
    this.#checked.add(client);
    this.#wasThere = true;
  }

  async make(client: PostgresClient): Promise<void> {
    for (let race = 0; ; race += 1) {
      const state = await this.#state(client);
      if (state === 'complete') return;
      try {
        if (state === 'missing') await this.#create(client);
        else await client.query({ text: [LOCK_TIMEOUT, ...addStatements(this.#tables)].join(';\n') });
      } catch (error) {
        if (codeOf(error) === '42501')
          throw this.#unprepared(
            'the tables are missing, or lack the columns of this release, and this role may not create them',
          );
        if (!RACED.includes(codeOf(error)) || race === MAX_RACES) throw error;
      }
    }
  }

  /** For an administrator: creates the tables and grants the role of the URL access to them. */
  statements(): readonly string[] {
    const { user } = this.#address;
    return [
      ...(this.#tables.schema === quoteIdentifier('public') ? [] : [this.#createSchema()]),
      ...createStatements(this.#tables),
      ...addStatements(this.#tables),
      ...(user === null ? [] : grantStatements(this.#tables, user)),
    ];
  }

  standby(): StoreError {
    return new StoreError(
      'busy',
      `${this.#address.label} is a standby, which may answer with old data; name the primary in the URL`,
    );
  }

  /** earlier: the tables lack the columns of this release. */
  async #state(client: PostgresClient): Promise<'missing' | 'earlier' | 'complete'> {
    try {
      const { rows } = await client.query({ text: layoutStatement(this.#tables) });
      if (rows.length === 0) return 'missing';
      if (rows[0].is_standby === 't') throw this.standby();
      const problem = layoutProblem(rows[0]);
      if (problem !== null) throw new StoreError('unprepared', `${this.#address.label}: ${problem}`);
      if (rows[0].is_complete !== 't') return 'missing';
      return Number(rows[0].version) < LAYOUT_VERSION ? 'earlier' : 'complete';
    } catch (error) {
      if (MISSING.includes(codeOf(error))) return 'missing';
      if (codeOf(error) !== '42501') throw error;
      const { user } = this.#address;
      const grants = user === null ? [] : grantStatements(this.#tables, user);
      throw new StoreError(
        'denied',
        `${this.#address.label}: the role has no access to the tables; run ${grants.join('; ')}`,
      );
    }
  }

  /** One text without parameters is one transaction. */
  async #create(client: PostgresClient): Promise<void> {
    const text = createStatements(this.#tables).join(';\n');
    try {
      await client.query({ text });
    } catch (error) {
      if (codeOf(error) !== '3F000') throw error;
      await client.query({ text: `${this.#createSchema()};\n${text}` });
    }
  }

  #createSchema(): string {
    return `CREATE SCHEMA IF NOT EXISTS ${this.#tables.schema}`;
  }

  #unprepared(what: string): StoreError {
    const statements = this.statements().map((each) => each.replace(/\s+/g, ' '));
    return new StoreError(
      'unprepared',
      `${this.#address.label}: ${what}; run \`hustings store init\` with a role that may, or these: ${statements.join('; ')}`,
    );
  }
}
