import { Kvm } from '@nats-io/kv';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll } from 'vitest';
import { describeWith, startNats, type TestServer } from '../../../../../../test-kit/servers/index.ts';
import { SETTINGS } from '../../../../src/lease/stores/document/document-server.ts';
import { NatsIncarnation } from '../../../../src/lease/stores/nats/nats-incarnation.ts';
import { NatsLeaseStore } from '../../../../src/lease/stores/nats/nats-lease-store.ts';
import { storeContract } from '../../contract/store-contract.ts';
import { documentHooks } from '../document/document-contract.ts';

await describeWith('nats-server', 'NATS', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startNats();
  });
  afterAll(() => server.stop());

  type Bucket = Awaited<ReturnType<Kvm['open']>>;
  const inBucket = async <Answer>(
    key: string | symbol,
    act: (bucket: Bucket, key: string) => Promise<Answer>,
  ) => {
    const connection = await connect({ servers: server.url });
    try {
      const bucket = await new Kvm(connection).open('hustings');
      const { id } = await NatsIncarnation.read(bucket);
      const name = Buffer.from(String(key)).toString('base64url');
      return await act(bucket, key === SETTINGS ? 'settings' : `election.${id}.=${name}`);
    } finally {
      await connection.close();
    }
  };
  storeContract('NATS', {
    open: (options) => NatsLeaseStore.open(server.url, { ...options, waitAfterCreation: false }),
    ...documentHooks(
      {
        get: (name) => inBucket(name, async (bucket, key) => (await bucket.get(key))?.string() ?? null),
        put: (name, text) =>
          inBucket(name, async (bucket, key) => {
            await bucket.put(key, text);
          }),
      },
      4,
    ),
  });
});
