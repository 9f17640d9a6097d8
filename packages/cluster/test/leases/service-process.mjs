// One replica of a service that elects by a cluster, as a process of its own. While it leads it does a step of its work every few
// milliseconds, if the signal of its lead has not aborted, and writes the step to its journal. A careless one does not look.
import { openSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createElector } from '../../../hustings/dist/index.js';
import { openCluster } from '../../dist/index.js';

const { careless, journal, ...options } = JSON.parse(process.argv[2]);
const file = openSync(journal, 'a');
const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());
process.on('disconnect', () => process.exit(1));

/** One clock serves all processes of a host. */
const nowMs = () => Number(process.hrtime.bigint() / 1000n) / 1000;

const cluster = openCluster(options);
const elector = createElector({ cluster, name: 'job' });
await elector.campaign(
  async (lead) => {
    for (;;) {
      // The time comes first: a process may be stopped between the look and the step.
      const at = nowMs();
      if (careless ? lead.remainingMs() < -1 : lead.signal.aborted) return;
      writeSync(file, `${JSON.stringify({ at, id: options.id, token: Number(lead.token) })}\n`);
      await sleep(5);
    }
  },
  { signal: stop.signal },
);
await cluster.close();
process.disconnect?.();
