/** The contract on a server whose defaults are unusual: the store sets what it needs in its own sessions. */
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

await describeWith('mariadbd', 'leases in a MariaDB with unusual defaults', () => {
  let server: TestServer;
  let admin: Connection;
  beforeAll(async () => {
    server = await startMariadb({
      args: [
        ...[
          '--default-time-zone=+05:30',
          '--transaction-isolation=SERIALIZABLE',
          '--log-bin',
          '--server-id=1',
        ],
        ...['--binlog-format=ROW', '--sql-mode=ANSI_QUOTES,NO_BACKSLASH_ESCAPES,SIMULTANEOUS_ASSIGNMENT'],
        ...[
          // Without the handshake the server also ignores the character set of the client.
          ...['--character-set-server=latin1', '--collation-server=latin1_swedish_ci'],
          '--skip-character-set-client-handshake',
          '--default-storage-engine=Aria',
        ],
      ],
    });
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
