/**
 * Runs the statements of the store. No statement waits for a locked row, so a request whose row is locked is repeated here
 * until it is answered or its time is over.
 */
import { StoreError } from '../../core/store-error.ts';
import { inRounds, type RunRound, untilWhole } from '../rounds.ts';
import type { PostgresRow } from './postgres-client.ts';
import type { PostgresConnections } from './postgres-connections.ts';
import type { PostgresPreparation } from './postgres-preparation.ts';

export interface CallsOptions {
  readonly label: string;
  readonly timeoutMs: number;
  readonly connections: PostgresConnections;
  readonly preparation: PostgresPreparation;
  /** Whether its statements come before others; see postgres-connections.ts. */
  readonly isUrgent: boolean;
  /** The statement that reads leases by their names. */
  readonly read: string;
}

export class PostgresCalls {
  readonly #options: CallsOptions;

  constructor(options: CallsOptions) {
    this.#options = options;
  }

  /** Runs a statement for one election. An empty row if the election is unknown. */
  async one(text: string, name: string, values: readonly unknown[]): Promise<PostgresRow> {
    const known = new Set<string>();
    const [row] = await this.inRounds([{ name }], this.#options.timeoutMs, (_, timeoutMs) =>
      this.found(text, timeoutMs, [[name], ...values], known),
    );
    return row;
  }

  /** The items of one statement must have different names. */
  inRounds<Item extends { readonly name: string }, Answer>(
    items: readonly Item[],
    timeoutMs: number,
    run: RunRound<Item, Answer>,
  ): Promise<readonly Answer[]> {
    return inRounds(items, timeoutMs, run, (name) => this.#locked(name));
  }

  /** A list that is repeated as a whole. */
  untilWhole<Item extends { readonly name: string }, Answer>(
    items: readonly Item[],
    timeoutMs: number,
    run: RunRound<Item, Answer>,
  ): Promise<readonly Answer[]> {
    return untilWhole(items, timeoutMs, run, (name) => this.#locked(name));
  }

  /** Runs a statement over a list that locks rows: its rows by their index in the list. */
  async list(text: string, timeoutMs: number, values: readonly unknown[]): Promise<Map<number, PostgresRow>> {
    // The lock timeout of the server comes first: then nothing was written, and the connection stays usable.
    return byPlace(await this.run(text, [`${Math.ceil(timeoutMs / 2)}`, ...values], timeoutMs));
  }

  /**
   * The row of each item: an empty one if the election is unknown, undefined if its row was locked. `known` collects elections
   * that are not unknown, for the next round.
   */
  async found(
    text: string,
    timeoutMs: number,
    values: readonly [names: readonly string[], ...unknown[]],
    known: Set<string>,
  ): Promise<readonly (PostgresRow | undefined)[]> {
    const [names] = values;
    const rows = await this.list(text, timeoutMs, values);
    const absent = names.filter((name, index) => !rows.has(index) && !known.has(name));
    if (absent.length > 0) {
      for (const { name } of await this.run(this.#options.read, [absent], timeoutMs)) {
        if (name !== null) known.add(name);
      }
    }
    names.forEach((name, index) => {
      if (!rows.has(index) && !known.has(name)) rows.set(index, {});
    });
    return names.map((_, index) => rows.get(index));
  }

  #locked(name: string): StoreError {
    const text = `another session locks the row of ${JSON.stringify(name)} in the lease table; see pg_locks`;
    return new StoreError('busy', `${this.#options.label}: ${text}`);
  }

  /** Runs a statement that never waits for a lock. */
  run(
    text: string,
    values: readonly unknown[],
    timeoutMs = this.#options.timeoutMs,
  ): Promise<readonly PostgresRow[]> {
    return this.#options.connections.use(
      async (client) => {
        await this.#options.preparation.ensure(client);
        return (await client.query({ text, values })).rows;
      },
      timeoutMs,
      this.#options.isUrgent,
    );
  }
}

/** Rows by their index in a list. */
export function byPlace(rows: readonly PostgresRow[]): Map<number, PostgresRow> {
  return new Map(rows.map((row) => [Number(row.n) - 1, row]));
}
