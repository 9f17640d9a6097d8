import { Kvm } from '@nats-io/kv';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll } from 'vitest';
import { SETTINGS } from '../../../../src/lease/stores/document/document-server.ts';
import { NatsLeaseStore } from '../../../../src/lease/stores/nats/nats-lease-store.ts';
import { storeContract } from '../../contract/store-contract.ts';
import { describeWith, startNats, type TestServer } from '../../servers/index.ts';
import { documentHooks } from '../document/document-contract.ts';

await describeWith('nats-server', 'NATS', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startNats();
  });
  afterAll(() => server.stop());

  const keyOf = (key: string | symbol): string =>
    key === SETTINGS ? 'settings' : `election.=${Buffer.from(String(key)).toString('base64url')}`;
  const inBucket = async <Answer>(act: (bucket: Awaited<ReturnType<Kvm['open']>>) => Promise<Answer>) => {
    const connection = await connect({ servers: server.url });
    try {
      return await act(await new Kvm(connection).open('hustings'));
    } finally {
      await connection.close();
    }
  };
  storeContract('NATS', {
    open: (options) => NatsLeaseStore.open(server.url, options),
    ...documentHooks({
      get: (key) => inBucket(async (bucket) => (await bucket.get(keyOf(key)))?.string() ?? null),
      put: (key, text) =>
        inBucket(async (bucket) => {
          await bucket.put(keyOf(key), text);
        }),
    }),
  });
});
