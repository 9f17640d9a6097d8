// One of several processes at one file of leases: acquires and releases, over and over, and prints each token after the
// store has answered. Arguments: the URL of the built module, the store's URL, this one's name, how many times to win.
import { setTimeout as sleep } from 'node:timers/promises';

const [, , module, url, id, times] = process.argv;
const { SqliteLeaseStore } = await import(module);
const store = await SqliteLeaseStore.open(url);

/** @param {() => Promise<unknown>} work */
async function insist(work) {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (/** @type {{ kind?: string }} */ (error).kind !== 'busy') throw error;
      await sleep(Math.random() * 10);
    }
  }
}

for (let won = 0; won < Number(times); ) {
  const nonce = `${id} ${process.pid} ${won}`;
  const claim = {
    name: 'x',
    id,
    nonce,
    ttlMs: 600_000,
    priority: 0,
    processProof: '',
    goneNonce: null,
    staleVersion: null,
    holdAtLeastMs: 0,
    registerMs: 0,
  };
  const [answer] = /** @type {{ type: string; token: bigint }[]} */ (
    await insist(() => store.acquire([claim]))
  );
  if (answer.type !== 'ok') {
    await sleep(Math.random() * 3);
    continue;
  }
  process.stdout.write(`${answer.token}\n`);
  const { token } = answer;
  await insist(() =>
    store.release([{ name: 'x', nonce, token, reason: 'released', successor: null, reserveMs: 0 }]),
  );
  won++;
}
await store.close();
