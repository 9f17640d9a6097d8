// Every replica starts it before the service. One at a time looks for migrations; the first one carries them out.
import { DatabaseSync } from '@photostructure/sqlite'; // or 'node:sqlite', from Node 22.13
import { createElector } from 'hustings';
import { createFenceTable, fencedTransaction } from 'hustings/lease/fence';

const MIGRATIONS = [
  'CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL)',
  'ALTER TABLE customers ADD COLUMN email TEXT',
];

const database = new DatabaseSync('app.db', { timeout: 5_000 });
const elector = createElector({ store: 'sqlite:./leases.db', name: 'migration' });
const version = await elector.runOnce(
  async (lead) => {
    database.exec('CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY)');
    await createFenceTable(database);
    const newest = database.prepare('SELECT coalesce(max(version), 0) AS version FROM migrations').get();
    let { version } = newest as { version: number };
    for (const statement of MIGRATIONS.slice(version)) {
      lead.assert({ needMs: 1_000 });
      version++;
      // The migration and its row, under the token: both, or none of them.
      await fencedTransaction(database, { name: 'migration', token: lead.token }, () => {
        database.exec(statement);
        database.prepare('INSERT INTO migrations VALUES (?)').run(version);
      });
      console.log(`migrated to version ${version}`);
    }
    return version;
  },
  { timeoutMs: 5 * 60_000 },
);
console.log(`the database has version ${version}`);
await elector.close();
database.close();
