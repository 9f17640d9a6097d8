/** What happens to a ZooKeeper server. It keeps every acknowledged write; what an operator deletes it forgets. */
import { ZookeeperClient } from '../../../src/lease/stores/zookeeper/zookeeper-client.ts';
import { ZookeeperNodes } from '../../../src/lease/stores/zookeeper/zookeeper-nodes.ts';
import { NO_NODE, ZookeeperAnswerError } from '../../../src/lease/stores/zookeeper/zookeeper-protocol.ts';
import { zookeeperSettings } from '../../../src/lease/stores/zookeeper/zookeeper-settings.ts';
import { type Fault, OLDER_DATA, restart, type Scene, whileCutOff } from './fault.ts';

const NODES = new ZookeeperNodes('/hustings');

async function withZookeeper(
  { server }: Pick<Scene, 'server'>,
  act: (client: ZookeeperClient) => Promise<unknown>,
): Promise<void> {
  // An operator that gave up sooner would not know whether its request takes effect after the time that the fault allows.
  const client = new ZookeeperClient(zookeeperSettings(server!.url, { timeoutMs: 10_000 }));
  try {
    await act(client);
  } finally {
    await client.close(true);
  }
}

/** All at one moment, as an operator's script would not: what is deleted step by step is created again in between. */
async function deleteAll(client: ZookeeperClient, path: string): Promise<void> {
  const { requests } = client;
  for (;;) {
    const paths = await below(client, path);
    const operations = paths.map((each) => ({ type: 'delete', path: each, version: -1 }) as const);
    try {
      return await client.ask(requests.transaction(operations));
    } catch (error) {
      // Others have created or deleted nodes meanwhile.
      if (!(error instanceof ZookeeperAnswerError)) throw error;
      if (error.code === NO_NODE && paths.length === 1) return;
    }
  }
}

/** The node after all nodes below it. */
async function below(client: ZookeeperClient, path: string): Promise<string[]> {
  const children = await client.ask(client.requests.children(path)).catch(() => []);
  const lists = await Promise.all(children.map((child) => below(client, `${path}/${child}`)));
  return [...lists.flat(), path];
}

export const deleteNodes = (scene: Pick<Scene, 'server'>): Promise<void> =>
  withZookeeper(scene, (client) => deleteAll(client, NODES.prefix));

export const ZOOKEEPER_FAULTS: readonly Fault[] = [
  { kind: 'store restarted', inflict: (scene) => restart(scene) },
  OLDER_DATA,
  {
    kind: 'node of the holder deleted',
    inflict: whileCutOff((scene) =>
      withZookeeper(scene, ({ requests, session }) =>
        session.request(requests.delete(NODES.holder(scene.name))).catch((error: unknown) => {
          if (!(error instanceof ZookeeperAnswerError && error.code === NO_NODE)) throw error;
        }),
      ),
    ),
  },
  {
    kind: 'all nodes deleted',
    allowsTwoLeaders: true,
    losesTerms: true,
    inflict: whileCutOff(deleteNodes),
  },
];
