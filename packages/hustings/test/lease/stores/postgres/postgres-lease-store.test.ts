import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { describeWith, startPostgres, type TestServer } from '../../../../../../test-kit/servers/index.ts';
import { PostgresLeaseStore } from '../../../../src/lease/stores/postgres/postgres-lease-store.ts';
import { storeContract } from '../../contract/store-contract.ts';
import { adminHooks } from './admin-hooks.ts';

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
    ...adminHooks(() => admin),
  });
});
