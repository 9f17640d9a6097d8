import { createElector } from 'hustings';
import { openStore } from 'hustings/lease';
import { FenceGate, newestIn } from 'hustings/lease/fence';

const store = await openStore('sqlite:leases.db');
const elector = createElector({ store, name: 'billing-cron' });

// In front of a resource of this process: a device, a mailer, a remote service that checks no token.
const gate = new FenceGate({ name: 'billing-cron', newest: newestIn(store) });

const before = await elector.acquire();
await before.release();
const lead = await elector.acquire();
await gate.run(lead.term, () => console.log('sent by the new leader'));
for (const fence of [before.term, { name: 'billing-cron', token: 2n ** 63n - 1n }]) {
  await gate.run(fence, () => console.log('never')).catch((error) => console.log(error.refusal));
}
await lead.release();
await store.close();
