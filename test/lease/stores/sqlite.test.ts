import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { SqliteLeaseStore } from '../../../src/lease/stores/sqlite.ts';
import { temporaryFolder } from '../../cli/command.ts';
import { storeContract } from '../store-contract.ts';

const folder = temporaryFolder();
const file = (): string => join(folder.path, 'leases.db');

storeContract('SQLite', {
  open: (options) => SqliteLeaseStore.open(`sqlite:${file()}`, options),
  setToken: async (name, token) => {
    const database = new DatabaseSync(file(), { timeout: 5_000 });
    database.prepare('UPDATE hustings_lease SET token = ? WHERE name = ?').run(token, name);
    database.close();
  },
});
