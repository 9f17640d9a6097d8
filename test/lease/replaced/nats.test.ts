import { type KV, Kvm } from '@nats-io/kv';
import { connect } from '@nats-io/transport-node';
import { openStore } from '../../../src/lease/open-store.ts';
import { copyData, restoreData } from '../servers/data-copy.ts';
import { describeWith, startNats, type TestServer } from '../servers/index.ts';
import { replacedStore, type Scene } from './replaced-store.ts';

async function inBucket({ server }: Scene, act: (bucket: KV) => Promise<unknown>): Promise<void> {
  const connection = await connect({ servers: server.url });
  try {
    await act(await new Kvm(connection).open('hustings'));
  } finally {
    await connection.close();
  }
}

await describeWith('nats-server', 'a NATS store that was replaced', () => {
  replacedStore('NATS', {
    start: () => startNats(),
    stop: (server: TestServer) => server.stop(),
    open: ({ server }) => openStore(server.url),
    replacements: {
      'the bucket is deleted': { replace: (scene) => inBucket(scene, (bucket) => bucket.destroy()) },
      'an older copy of the data is restored': { backUp: copyData, replace: restoreData },
      'the key of one election is deleted': {
        replace: (scene) =>
          inBucket(scene, async (bucket) => {
            for await (const key of await bucket.keys('election.>')) await bucket.delete(key);
          }),
      },
    },
  });
});
