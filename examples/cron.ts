// Start it as often as you like, on one host or on many: one of them makes the report.
import { setTimeout as sleep } from 'node:timers/promises';
import { createElector } from 'hustings';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());

const store = process.env.HUSTINGS_STORE ?? 'sqlite:./leases.db'; // or redis://…, or postgres://…
const elector = createElector({ store, name: 'hourly-report', preset: 'fast' });

await elector.run(
  async (lead) => {
    console.log(`leading, token ${lead.token}`);
    while (!lead.signal.aborted) {
      lead.assert({ needMs: 100 }); // what a report takes: throws if so much is not left
      console.log(`report by ${process.pid}`);
      await sleep(200, null, { signal: lead.signal }).catch(() => {});
    }
  },
  { signal: stop.signal },
);
await elector.close();
