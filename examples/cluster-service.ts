// Three replicas and one job, without a database: the replicas elect among themselves the one that runs it.
//   npx hustings cluster init --nodes 3 --dir cluster
//   for i in 1 2 3; do REPLICA=$i node cluster-service.ts & done; wait
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openCluster } from '@hustings/cluster';
import { createElector } from 'hustings';

const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());

const cluster = openCluster({
  members: 'cluster/members.json',
  id: Number(process.env.REPLICA ?? 1),
  algorithm: 'raft',
  security: { type: 'secret', secret: readFileSync('cluster/secret', 'utf8') },
  heartbeatMs: 250, // a lead lasts for 900 ms after a majority was last heard
});
const elector = createElector({ cluster, name: 'reports' });

await elector.campaign(
  async (lead) => {
    for (let report = 1; !lead.signal.aborted; report++) {
      lead.assert({ needMs: 50 }); // reads the clock: a replica that was suspended writes no report
      console.log(`report ${report} by ${elector.id}, token ${lead.token}`); // give the token to what checks it
      await sleep(100);
    }
  },
  { signal: stop.signal },
);
await cluster.close(); // after the job has stopped: the others may lead at once
