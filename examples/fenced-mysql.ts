import { createFenceTable, fencedTransaction } from 'hustings/lease/fence';
import mysql from 'mysql2/promise';

const connection = await mysql.createConnection(process.env.DATABASE_URL ?? 'mysql://app@127.0.0.1/app');
await createFenceTable(connection);
await connection.query('CREATE TABLE ledger (job int, amount int)');

const pay = (token: bigint, job: number) =>
  fencedTransaction(connection, { name: 'billing-cron', token }, () =>
    connection.query('INSERT INTO ledger VALUES (?, 100)', [job]),
  );
await pay(8n, 1);
await pay(7n, 2).catch((error) => console.log(error.refusal));
await connection.end();
