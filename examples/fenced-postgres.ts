import { createFenceTable, fenceClause, fencedTransaction } from 'hustings/lease/fence';
import pg from 'pg';

const client = new pg.Client(process.env.DATABASE_URL);
await client.connect();
await createFenceTable(client);
await client.query('CREATE TABLE ledger (job int, amount int)');

// The first statement checks the token and stores it; the row of the election stays locked until the commit.
await fencedTransaction(client, { name: 'billing-cron', token: 8n }, async () => {
  await client.query('INSERT INTO ledger VALUES (1, 100)');
});

// The same in one statement, for connection pools and autocommit. No row means that the token is stale.
const { cte, guard, params } = fenceClause({ name: 'billing-cron', token: 7n }, { after: 2 });
const late = await client.query(`WITH ${cte} INSERT INTO ledger SELECT $1::int, $2::int WHERE ${guard}`, [
  2,
  100,
  ...params,
]);
console.log('rows of the old leader:', late.rowCount);
await client.end();
