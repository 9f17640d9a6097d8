// One consumer takes the jobs in order. The database refuses the write of an old leader, in the same transaction as the
// write itself.
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite'; // or 'node:sqlite', from Node 22.13
import { createElector } from 'hustings';
import { createFenceTable, fencedTransaction } from 'hustings/lease/fence';

const database = new DatabaseSync('queue.db', { timeout: 2_000 });
database.exec('CREATE TABLE IF NOT EXISTS jobs (id INTEGER PRIMARY KEY, done_by TEXT)');
await createFenceTable(database);

const next = database.prepare('SELECT id FROM jobs WHERE done_by IS NULL ORDER BY id LIMIT 1');
const done = database.prepare('UPDATE jobs SET done_by = ? WHERE id = ?');

const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());

const elector = createElector({
  store: 'sqlite:./leases.db',
  name: 'queue',
  preset: 'fast',
  stallAfterMs: 1_000,
});
await elector.campaign(
  async (lead) => {
    console.log("leads, and waits for jobs: 'INSERT INTO jobs DEFAULT VALUES' adds one to queue.db");
    while (!lead.signal.aborted) {
      const job = next.get() as { id: number } | undefined;
      if (job !== undefined) {
        await fencedTransaction(database, { name: 'queue', token: lead.token }, () =>
          done.run(`${process.pid}`, job.id),
        );
        console.log(`job ${job.id}`);
      }
      lead.progress(); // a consumer that hangs reports no progress and loses the lease
      await sleep(job === undefined ? 50 : 0);
    }
  },
  { signal: stop.signal },
);
await elector.close();
