/** The contract on a `Pool` and a `Client` of pg; postgres-js.long.test.ts runs it on Postgres.js. */
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { describeWith, startPostgres, type TestServer } from '../../../../../../test-kit/servers/index.ts';
import { PostgresLeaseStore } from '../../../../src/lease/stores/postgres/postgres-lease-store.ts';
import { storeContract } from '../../contract/store-contract.ts';
import { adminHooks } from './admin-hooks.ts';

// `end` of a Pool settles before its connections are closed: the server may still tell them that it stops.
const ignore = (): void => undefined;

for (const [title, create] of [
  ['a Pool of pg', (connectionString: string) => new pg.Pool({ connectionString }).on('error', ignore)],
  ['a Client of pg', (connectionString: string) => new pg.Client({ connectionString })],
] as const) {
  await describeWith('postgres', title, () => {
    let server: TestServer;
    let admin: pg.Client;
    let source: pg.Pool | pg.Client;
    beforeAll(async () => {
      server = await startPostgres({ password: 'p@ss' });
      admin = new pg.Client(server.url);
      admin.on('error', () => undefined);
      await admin.connect();
      source = create(server.url);
    }, 90_000);
    afterAll(async () => {
      await source?.end();
      await admin?.end();
      await server?.stop();
    });
    storeContract(title, {
      open: (options) => PostgresLeaseStore.open(source, options),
      ...adminHooks(() => admin),
    });
  });
}
