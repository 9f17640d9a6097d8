// A candidate for several elections, as a process of its own: leads for a moment, again and again.
import { setTimeout as sleep } from 'node:timers/promises';
import { createElector } from '../../lease/faults/built.mjs';

const { store, names, id } = JSON.parse(process.argv[2]);
const elector = createElector({ store, names, id, ttlMs: 1_000, renewEveryMs: 100, processProof: '' });
process.on('disconnect', () => process.exit(1));
for (;;) {
  const lead = await elector.acquire();
  process.send?.('led');
  await sleep(5 + Math.random() * 20);
  await lead.release();
}
