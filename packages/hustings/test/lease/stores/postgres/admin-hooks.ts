/** What the contract suite changes behind the back of the store, over a connection of its own to the server. */
import type pg from 'pg';
import type { StoreUnderTest } from '../../contract/suite.ts';

export const adminHooks = (client: () => pg.Client): Omit<StoreUnderTest, 'open'> => {
  return {
    setToken: async (name, token) => {
      await client().query('UPDATE hustings_lease SET token = $2 WHERE name = $1', [name, `${token}`]);
    },
    setBack: async (name, ms) => {
      await client().query(
        `UPDATE hustings_lease SET until_ms = until_ms + $2, not_before_ms = not_before_ms + $2, start_ms = start_ms + $2,
           challenger_since_ms = challenger_since_ms + $2, challenger_until_ms = challenger_until_ms + $2 WHERE name = $1`,
        [name, ms],
      );
    },
    putOffTick: async (name, fromMs, toMs) => {
      for (const table of ['hustings_tick', 'hustings_lease']) {
        const sql = `UPDATE ${table} SET tick_ms = $3 WHERE name = $1 AND tick_ms = $2`;
        await client().query(sql, [name, fromMs, toMs]);
      }
    },
    layout: {
      lower: async () => {
        await client().query(
          `ALTER TABLE hustings_lease DROP COLUMN metadata, DROP COLUMN checkpoint, DROP COLUMN updates;
           ALTER TABLE hustings_term DROP COLUMN metadata; ALTER TABLE hustings_candidate DROP COLUMN place;
           UPDATE hustings_layout SET version = 3`,
        );
      },
      version: async () => {
        const { rows } = await client().query('SELECT version, compatible_from FROM hustings_layout');
        return [Number(rows[0].version), Number(rows[0].compatible_from)];
      },
      raise: async (compatibleFrom) => {
        await client().query('UPDATE hustings_layout SET version = 5, compatible_from = $1', [
          compatibleFrom,
        ]);
        // A name that a statement would take for its own if it did not name the columns of the table.
        await client().query('ALTER TABLE hustings_lease ADD COLUMN now_ms text');
      },
      restore: async () => {
        await client().query('UPDATE hustings_layout SET version = 4, compatible_from = 3');
        await client().query('ALTER TABLE hustings_lease DROP COLUMN now_ms');
      },
      setExtra: async (name, value) => {
        await client().query('UPDATE hustings_lease SET now_ms = $2 WHERE name = $1', [name, value]);
      },
      extra: async (name) =>
        (await client().query('SELECT now_ms FROM hustings_lease WHERE name = $1', [name])).rows[0].now_ms,
    },
  };
};
