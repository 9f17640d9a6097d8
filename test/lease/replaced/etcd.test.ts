import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../../src/lease/open-store.ts';
import { EtcdClient, encode } from '../../../src/lease/stores/etcd/etcd-client.ts';
import { etcdSettings } from '../../../src/lease/stores/etcd/etcd-settings.ts';
import { missing } from '../../programs/programs.ts';
import { runProgram } from '../servers/data-template.ts';
import { describeWith, startEtcd, type TestServer } from '../servers/index.ts';
import { replacedStore, type Scene } from './replaced-store.ts';

async function withEtcd<Answer>(
  { server }: Scene,
  act: (client: EtcdClient) => Promise<Answer>,
): Promise<Answer> {
  const client = new EtcdClient(etcdSettings(server.url));
  try {
    return await act(client);
  } finally {
    client.close();
  }
}

const etcdctl = (args: readonly string[]): Promise<void> =>
  runProgram('etcdctl', args, { env: { ...process.env, ETCDCTL_API: '3' } });

interface Members {
  readonly members: readonly { readonly peerURLs: readonly string[] }[];
}

const peersOf = (scene: Scene): Promise<string> =>
  withEtcd(scene, async (client) => {
    const { members } = await client.call<Members>('/v3/cluster/member/list', {});
    return members[0].peerURLs[0];
  });

const snapshot = ({ folder }: Scene): string => join(folder, 'snapshot');

const backUp = (scene: Scene): Promise<void> =>
  etcdctl([`--endpoints=127.0.0.1:${scene.server.port}`, 'snapshot', 'save', snapshot(scene)]);

/** The id of a cluster is computed from its token and the addresses of its first members. */
const restore = (token: string) => async (scene: Scene) => {
  const { server } = scene;
  const peer = await peersOf(scene);
  await server.kill9();
  const data = join(server.folder, 'data');
  rmSync(data, { recursive: true });
  await etcdctl([
    ...['snapshot', 'restore', snapshot(scene), '--name=n1', `--data-dir=${data}`],
    ...[`--initial-cluster=n1=${peer}`, `--initial-advertise-peer-urls=${peer}`],
    `--initial-cluster-token=${token}`,
  ]);
  await server.restart();
};

// Both programs: the server and its tool.
await missing('etcd');
await describeWith('etcdctl', 'an etcd store that was replaced', () => {
  replacedStore('etcd', {
    start: () => startEtcd(),
    stop: (server: TestServer) => server.stop(),
    open: ({ server }) => openStore(server.url),
    replacements: {
      'all keys are deleted': {
        replace: (scene) =>
          withEtcd(scene, (client) =>
            client.call('/v3/kv/deleterange', { key: encode('hustings/'), range_end: encode('hustings0') }),
          ),
      },
      'an older snapshot is restored as a new cluster (`--initial-cluster-token`)': {
        backUp,
        replace: restore('restored'),
      },
      'an older snapshot is restored with the token and the members of the old cluster': {
        backUp,
        replace: restore('etcd-cluster'),
      },
    },
  });
});
