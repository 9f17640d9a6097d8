// Start it on every host: each tick of the schedule starts on one of them.
import { createElector } from 'hustings';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());

const elector = createElector({
  store: process.env.HUSTINGS_STORE ?? 'sqlite:./leases.db', // or redis://…, or postgres://…
  name: 'nightly-report',
  preset: 'fast',
});
await elector.cron(
  process.env.SCHEDULE ?? '0 3 * * *', // minute hour day month weekday; with six fields the first has seconds
  async (lead, { tickMs }) => {
    lead.assert({ needMs: 100 }); // throws unless that much of the lease is left
    console.log(`report of ${new Date(tickMs).toISOString()} by ${process.pid}, token ${lead.token}`);
  },
  { signal: stop.signal, timeZone: 'Europe/Berlin' },
);
await elector.close();
