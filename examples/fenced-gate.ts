import { FenceGate } from 'hustings/lease/fence';

// Anything else that is one process: a device, a mailer, a remote interface without fences of its own.
const gate = new FenceGate({
  name: 'billing-cron',
  newest: async () => 8n, // of a real store: newestIn(store)
});

await gate.run({ name: 'billing-cron', token: 8n }, () => console.log('sent by the new leader'));
for (const token of [7n, 2n ** 63n - 1n]) {
  await gate
    .run({ name: 'billing-cron', token }, () => console.log('never'))
    .catch((error) => console.log(error.refusal));
}
