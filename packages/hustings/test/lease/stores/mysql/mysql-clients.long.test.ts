/** The contract on a pool of mysql2. */
import mysql, { type Pool } from 'mysql2';
import type { Connection } from 'mysql2/promise';
import { afterAll, beforeAll } from 'vitest';
import {
  adminOf,
  describeWith,
  startMariadb,
  type TestServer,
} from '../../../../../../test-kit/servers/index.ts';
import { MysqlLeaseStore } from '../../../../src/lease/stores/mysql/mysql-lease-store.ts';
import { storeContract } from '../../contract/store-contract.ts';
import { adminHooks } from './admin-hooks.ts';

await describeWith('mariadbd', 'a pool of mysql2', () => {
  let server: TestServer;
  let admin: Connection;
  let pool: Pool;
  beforeAll(async () => {
    server = await startMariadb();
    admin = await adminOf(server);
    pool = mysql.createPool({ uri: server.url });
  }, 90_000);
  afterAll(async () => {
    await pool?.promise().end();
    await admin?.end();
    await server?.stop();
  });
  storeContract('a pool of mysql2', {
    open: (options) => MysqlLeaseStore.open(pool, options),
    ...adminHooks(() => admin),
  });
});
