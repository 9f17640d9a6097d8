/** What happens to a ZooKeeper server. It keeps every acknowledged write; what an operator deletes it forgets. */
import { ZookeeperClient } from '../../../src/lease/stores/zookeeper/zookeeper-client.ts';
import { ZookeeperNodes } from '../../../src/lease/stores/zookeeper/zookeeper-nodes.ts';
import { zookeeperSettings } from '../../../src/lease/stores/zookeeper/zookeeper-settings.ts';
import { type Fault, restart, type Scene, whileCutOff } from './fault.ts';

const NODES = new ZookeeperNodes('/hustings');

async function withZookeeper(
  { server }: Pick<Scene, 'server'>,
  act: (client: ZookeeperClient) => Promise<unknown>,
): Promise<void> {
  const client = new ZookeeperClient(zookeeperSettings(server!.url));
  try {
    await act(client);
  } finally {
    await client.close(true);
  }
}

/** Others may create and delete nodes meanwhile. */
async function deleteAll({ requests, ask }: Asking, path: string): Promise<void> {
  const children = await ask(requests.children(path)).catch(() => []);
  for (const child of children) await deleteAll({ requests, ask }, `${path}/${child}`);
  await ask(requests.delete(path)).catch(() => undefined);
}

type Asking = Pick<ZookeeperClient, 'requests' | 'ask'>;

export const ZOOKEEPER_FAULTS: readonly Fault[] = [
  { kind: 'store restarted', inflict: (scene) => restart(scene) },
  {
    kind: 'node of the holder deleted',
    allowsTwoLeaders: true,
    inflict: whileCutOff((scene) =>
      withZookeeper(scene, ({ requests, session }) =>
        session.request(requests.delete(NODES.holder(scene.name))).catch(() => undefined),
      ),
    ),
  },
  {
    kind: 'all nodes deleted',
    allowsTwoLeaders: true,
    losesTerms: true,
    inflict: whileCutOff((scene) =>
      withZookeeper(scene, (client) =>
        deleteAll({ requests: client.requests, ask: (request) => client.ask(request) }, NODES.prefix),
      ),
    ),
  },
];
