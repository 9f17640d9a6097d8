/** What happens to an etcd server. It keeps every acknowledged write; what an operator deletes it forgets. */
import { EtcdClient, encode } from '../../../src/lease/stores/etcd/etcd-client.ts';
import { etcdSettings } from '../../../src/lease/stores/etcd/etcd-settings.ts';
import { type Fault, OLDER_DATA, restart, type Scene, whileCutOff } from './fault.ts';

async function withEtcd({ server }: Pick<Scene, 'server'>, act: (client: EtcdClient) => Promise<unknown>) {
  const client = new EtcdClient(etcdSettings(server!.url));
  try {
    await act(client);
  } finally {
    client.close();
  }
}

export const ETCD_FAULTS: readonly Fault[] = [
  { kind: 'store restarted', inflict: (scene) => restart(scene) },
  OLDER_DATA,
  {
    kind: 'revisions compacted',
    inflict: (scene) =>
      withEtcd(scene, async (client) => {
        const { header } = await client.transaction({ success: [] });
        await client.call('/v3/kv/compaction', { revision: header.revision, physical: true });
      }),
  },
  {
    kind: 'key of the holder deleted',
    inflict: whileCutOff((scene) =>
      withEtcd(scene, (client) =>
        client.call('/v3/kv/deleterange', { key: encode(`hustings/holder/${scene.name}`) }),
      ).then(() => undefined),
    ),
  },
  {
    kind: 'all keys deleted',
    allowsTwoLeaders: true,
    losesTerms: true,
    inflict: whileCutOff((scene) =>
      withEtcd(scene, (client) =>
        client.call('/v3/kv/deleterange', { key: encode('hustings/'), range_end: encode('hustings0') }),
      ).then(() => undefined),
    ),
  },
];
