// The job of the leader, the same in all services: it stops between two reports when its lease is lost.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lead } from 'hustings';

export async function runReports(lead: Lead): Promise<void> {
  while (!lead.signal.aborted) {
    lead.assert({ needMs: 100 }); // a report takes 100 ms: throws unless that much of the lease is left
    console.log(`report by ${lead.term.holder}, token ${lead.token}`);
    await sleep(200, null, { signal: lead.signal }).catch(() => {});
  }
  console.log(`${lead.term.holder} stops`);
}
