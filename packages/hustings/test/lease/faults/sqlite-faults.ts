/** What happens to a SQLite file. Not its removal, after which every process must be restarted. */
import { join } from 'node:path';
import { loadSqlite } from '../../../src/lease/stores/sqlite-library.ts';
import type { Fault } from './fault.ts';

export const SQLITE_FILE = 'leases.db';

export const SQLITE_FAULTS: readonly Fault[] = [
  {
    kind: 'store busy',
    async inflict({ folder }) {
      const { DatabaseSync } = await loadSqlite();
      const database = new DatabaseSync(join(folder, SQLITE_FILE));
      database.exec('PRAGMA busy_timeout = 5000');
      database.exec('BEGIN IMMEDIATE');
      return () => database.close();
    },
  },
  {
    kind: 'rows deleted',
    losesTerms: true,
    allowsTwoLeaders: true,
    async inflict({ folder }) {
      const { DatabaseSync } = await loadSqlite();
      const database = new DatabaseSync(join(folder, SQLITE_FILE));
      database.exec('PRAGMA busy_timeout = 5000');
      database.exec(
        'BEGIN IMMEDIATE; DELETE FROM hustings_lease; DELETE FROM hustings_term; DELETE FROM hustings_candidate; COMMIT',
      );
      database.close();
      return () => undefined;
    },
  },
];
