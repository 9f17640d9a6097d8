import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { PostgresLeaseStore } from '../../../../src/lease/stores/postgres/postgres-lease-store.ts';
import { storeContract } from '../../contract/store-contract.ts';
import { describeWith, startPostgres, type TestServer } from '../../servers/index.ts';

await describeWith('postgres', 'leases in PostgreSQL', () => {
  let server: TestServer;
  let admin: pg.Client;
  beforeAll(async () => {
    server = await startPostgres();
    admin = new pg.Client(server.url);
    admin.on('error', () => undefined);
    await admin.connect();
  }, 90_000);
  afterAll(async () => {
    await admin?.end();
    await server?.stop();
  });

  storeContract('PostgreSQL', {
    open: (options) => PostgresLeaseStore.open(server.url, options),
    setToken: async (name, token) => {
      await admin.query('UPDATE hustings_lease SET token = $2 WHERE name = $1', [name, `${token}`]);
    },
    setBack: async (name, ms) => {
      await admin.query(
        `UPDATE hustings_lease SET until_ms = until_ms + $2, not_before_ms = not_before_ms + $2, start_ms = start_ms + $2,
           challenger_since_ms = challenger_since_ms + $2, challenger_until_ms = challenger_until_ms + $2 WHERE name = $1`,
        [name, ms],
      );
    },
    layout: {
      raise: async (compatibleFrom) => {
        await admin.query('UPDATE hustings_layout SET version = 4, compatible_from = $1', [compatibleFrom]);
        // A name that a statement would take for its own if it did not name the columns of the table.
        await admin.query('ALTER TABLE hustings_lease ADD COLUMN now_ms text');
      },
      restore: async () => {
        await admin.query('UPDATE hustings_layout SET version = 3, compatible_from = 3');
        await admin.query('ALTER TABLE hustings_lease DROP COLUMN now_ms');
      },
      setExtra: async (name, value) => {
        await admin.query('UPDATE hustings_lease SET now_ms = $2 WHERE name = $1', [name, value]);
      },
      extra: async (name) =>
        (await admin.query('SELECT now_ms FROM hustings_lease WHERE name = $1', [name])).rows[0].now_ms,
    },
  });
});
