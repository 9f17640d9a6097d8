// Several replicas of this program run, and one of them has the scheduler and the worker of the queue.
import { Queue, Worker } from 'bullmq';
import { createElector } from 'hustings';

const url = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379';
const connection = { url };

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());

const elector = createElector({ store: url, name: 'digests', preset: 'fast' });
await elector.campaign(
  async (lead) => {
    const queue = new Queue('digests', { connection });
    await queue.upsertJobScheduler('each-second', { every: 1_000 }, { opts: { attempts: 3 } });
    const worker = new Worker(
      'digests',
      async (job) => {
        lead.assert({ needMs: 500 }); // throws unless that much of the lease is left; the job is tried again
        console.log(`job ${job.id} by ${process.pid}, token ${lead.token}`);
      },
      { connection },
    );
    worker.on('error', (error) => console.error(`the worker fails: ${error.message}`));
    await lead.ended; // resolves when the term is over, also if it already is
    await worker.close(); // waits for the job that runs
    await queue.close();
  },
  { signal: stop.signal },
);
await elector.close();
