/** What the contract suite changes behind the back of the store, over a connection of its own to the server. */
import type { Connection } from 'mysql2/promise';
import type { StoreUnderTest } from '../../contract/suite.ts';

export const adminHooks = (admin: () => Connection): Omit<StoreUnderTest, 'open'> => {
  const bytes = (text: string): Buffer => Buffer.from(text);
  return {
    setToken: async (name, token) => {
      await admin().query('UPDATE hustings_lease SET token = ? WHERE name = ?', [token, bytes(name)]);
    },
    setBack: async (name, ms) => {
      await admin().query(
        `UPDATE hustings_lease SET until_ms = until_ms + ?, not_before_ms = not_before_ms + ?, start_ms = start_ms + ?,
           challenger_since_ms = challenger_since_ms + ?, challenger_until_ms = challenger_until_ms + ? WHERE name = ?`,
        [ms, ms, ms, ms, ms, bytes(name)],
      );
    },
    putOffTick: async (name, fromMs, toMs) => {
      const sql = 'UPDATE hustings_tick SET tick_ms = ? WHERE name = ? AND tick_ms = ?';
      await admin().query(sql, [toMs, bytes(name), fromMs]);
    },
    layout: {
      lower: async () => {
        for (const statement of [
          'ALTER TABLE hustings_lease DROP COLUMN metadata, DROP COLUMN checkpoint, DROP COLUMN updates',
          'ALTER TABLE hustings_term DROP COLUMN metadata',
          'ALTER TABLE hustings_candidate DROP COLUMN place',
          'UPDATE hustings_layout SET version = 3',
        ]) {
          await admin().query(statement);
        }
      },
      version: async () => {
        const [rows] = await admin().query('SELECT version, compatible_from FROM hustings_layout');
        const [{ version, compatible_from }] = rows as { version: number; compatible_from: number }[];
        return [Number(version), Number(compatible_from)];
      },
      raise: async (compatibleFrom) => {
        await admin().query('UPDATE hustings_layout SET version = 5, compatible_from = ?', [compatibleFrom]);
        await admin().query('ALTER TABLE hustings_lease ADD COLUMN now_ms VARCHAR(100)');
      },
      restore: async () => {
        await admin().query('UPDATE hustings_layout SET version = 4, compatible_from = 3');
        await admin().query('ALTER TABLE hustings_lease DROP COLUMN now_ms');
      },
      setExtra: async (name, value) => {
        await admin().query('UPDATE hustings_lease SET now_ms = ? WHERE name = ?', [value, bytes(name)]);
      },
      extra: async (name) => {
        const [rows] = await admin().query('SELECT now_ms FROM hustings_lease WHERE name = ?', [bytes(name)]);
        return (rows as { now_ms: string | null }[])[0].now_ms;
      },
    },
  };
};
