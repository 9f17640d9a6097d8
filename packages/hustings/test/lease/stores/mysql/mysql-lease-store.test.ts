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

await describeWith('mariadbd', 'leases in MariaDB', () => {
  let server: TestServer;
  let admin: Connection;
  beforeAll(async () => {
    server = await startMariadb();
    admin = await adminOf(server);
  }, 90_000);
  afterAll(async () => {
    await admin?.end();
    await server?.stop();
  });

  storeContract('MariaDB', {
    open: (options) => MysqlLeaseStore.open(server.url, options),
    ...adminHooks(() => admin),
  });
});
