import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { missing } from '../../../../../test-kit/programs/programs.ts';
import { runProgram } from '../../../../../test-kit/servers/data-template.ts';
import { describeWith, startEtcd, type TestServer } from '../../../../../test-kit/servers/index.ts';
import { openStore } from '../../../src/lease/open-store.ts';
import { EtcdClient, encode } from '../../../src/lease/stores/etcd/etcd-client.ts';
import { etcdSettings } from '../../../src/lease/stores/etcd/etcd-settings.ts';
import { claim, eventually, releaseOf, renew, win } from '../contract/single-call.ts';
import { replacedStore, type Scene } from './replaced-store.ts';

const TTL_MS = 2_000;

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

  it('grants an election that is not in the restored snapshot after one TTL, to a candidate that knew the old cluster', async () => {
    const server = await startEtcd();
    const folder = mkdtempSync(join(tmpdir(), 'hustings-replaced-'));
    const stores = await Promise.all([openStore(server.url), openStore(server.url)]);
    try {
      const [a, b] = stores;
      await b.init();
      await backUp({ server, folder });
      const old = await win(a, 'job', 'a', TTL_MS);
      expect(await claim(b, 'job', 'b', TTL_MS)).toMatchObject({ type: 'held' });
      await restore('restored')({ server, folder });
      const sinceMs = performance.now();
      const token = await eventually(() => win(b, 'job', 'b', TTL_MS).catch(() => undefined), 'b leads');
      expect(performance.now() - sinceMs).toBeGreaterThanOrEqual(TTL_MS);
      expect(token > old).toBe(true);
      expect(await renew(a, 'job', 'a', old)).toEqual({ type: 'lost' });
      // Nothing is forgotten in what was written since.
      await b.release([releaseOf('job', 'b', token)]);
      await win(a, 'job', 'a', TTL_MS);
    } finally {
      for (const store of stores) await store.close();
      await server.stop();
      rmSync(folder, { recursive: true });
    }
  }, 60_000);
});
