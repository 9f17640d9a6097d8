// Start it any number of times, on one host or on many: one process at a time writes the report.
import { setTimeout as sleep } from 'node:timers/promises';
import { createElector } from 'hustings';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());

const store = process.env.HUSTINGS_STORE ?? 'sqlite:./leases.db'; // or redis://…, or postgres://…
const elector = createElector({ store, name: 'hourly-report', preset: 'fast' });

await elector.campaign(
  async (lead) => {
    console.log(`leading, token ${lead.token}`);
    while (!lead.signal.aborted) {
      lead.assert({ needMs: 100 }); // a report takes 100 ms: throws unless that much of the lease is left
      console.log(`report by ${process.pid}`);
      await sleep(200, null, { signal: lead.signal }).catch(() => {});
    }
  },
  { signal: stop.signal },
);
await elector.close();
