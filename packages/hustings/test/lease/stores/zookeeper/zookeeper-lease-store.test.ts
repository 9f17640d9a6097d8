import { afterAll, expect, it } from 'vitest';
import { describeWith, startZookeeper } from '../../../../../../test-kit/servers/index.ts';
import { ZookeeperClient } from '../../../../src/lease/stores/zookeeper/zookeeper-client.ts';
import { ZookeeperLeaseStore } from '../../../../src/lease/stores/zookeeper/zookeeper-lease-store.ts';
import { ZookeeperNodes } from '../../../../src/lease/stores/zookeeper/zookeeper-nodes.ts';
import { dataText, parseData } from '../../../../src/lease/stores/zookeeper/zookeeper-revision.ts';
import { zookeeperSettings } from '../../../../src/lease/stores/zookeeper/zookeeper-settings.ts';
import { storeContract } from '../../contract/store-contract.ts';
import { claimOf } from '../../contract/suite.ts';
import { documentHooks } from '../document/document-contract.ts';

await describeWith('zkServer.sh', 'ZooKeeper', async () => {
  // Without syncs of the disk: this suite pulls no plug.
  const server = await startZookeeper({ java: ['-Dzookeeper.forceSync=no'] });
  const client = new ZookeeperClient(zookeeperSettings(server.url));
  const nodes = new ZookeeperNodes('/hustings');
  afterAll(async () => {
    await client.close(true);
    await server.stop();
  });
  const { requests } = client;
  storeContract('ZooKeeper', {
    open: (options) => ZookeeperLeaseStore.open(server.url, options),
    ...documentHooks({
      get: (key) =>
        client.ask(requests.get(nodes.document(key))).then(
          ({ data }) => parseData(data).text,
          () => null,
        ),
      put: async (key, text) => {
        const { data } = await client.ask(requests.get(nodes.document(key)));
        const { incarnation } = parseData(data);
        await client.ask(requests.set(nodes.document(key), dataText({ incarnation, text })));
      },
    }),
  });

  it('grants elections at once whose documents are as long as a transaction may be, and refuses more', async () => {
    const store = await ZookeeperLeaseStore.open(server.url);
    // About 8 kB each, in the lease and in its term.
    const metadata = { text: 'x'.repeat(4_000) };
    const claims = Array.from({ length: 150 }, (_, index) => claimOf(`together ${index}`, 'a', { metadata }));
    const granted = await store.acquireAll!(claims.slice(0, 100));
    expect(granted.map(({ type }) => type)).toEqual(granted.map(() => 'ok'));
    await expect(
      store.acquireAll!(claims.map((each) => ({ ...each, name: `${each.name} b` }))),
    ).rejects.toMatchObject({
      kind: 'unusable',
      message: expect.stringContaining('give fewer names'),
    });
    await store.close();
  });
});
