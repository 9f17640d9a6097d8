import { DatabaseSync } from '@photostructure/sqlite'; // or 'node:sqlite', from Node 22.13
import { createFenceTable, fencedTransaction } from 'hustings/lease/fence';

const database = new DatabaseSync('ledger.db');
await createFenceTable(database);
database.exec('CREATE TABLE ledger (job INTEGER, amount INTEGER)');

const pay = database.prepare('INSERT INTO ledger VALUES (?, ?)');
await fencedTransaction(database, { name: 'billing-cron', token: 8n }, () => pay.run(1, 100));
await fencedTransaction(database, { name: 'billing-cron', token: 7n }, () => pay.run(2, 100)).catch((error) =>
  console.log(error.refusal),
);
