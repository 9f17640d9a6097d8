import { afterAll } from 'vitest';
import { SETTINGS } from '../../../../src/lease/stores/document/document-server.ts';
import { decode, EtcdClient, encode } from '../../../../src/lease/stores/etcd/etcd-client.ts';
import { EtcdLeaseStore } from '../../../../src/lease/stores/etcd/etcd-lease-store.ts';
import { etcdSettings } from '../../../../src/lease/stores/etcd/etcd-settings.ts';
import { storeContract } from '../../contract/store-contract.ts';
import { describeWith, startEtcd } from '../../servers/index.ts';
import { documentHooks } from '../document/document-contract.ts';

await describeWith('etcd', 'etcd', async () => {
  const server = await startEtcd();
  afterAll(() => server.stop());
  const client = new EtcdClient(etcdSettings(server.url));
  const keyOf = (key: string | symbol): string =>
    key === SETTINGS ? 'hustings/settings' : `hustings/election/${String(key)}`;
  storeContract('etcd', {
    // A list of a thousand takes a busy machine longer than the default.
    open: (options) => EtcdLeaseStore.open(server.url, { ...options, timeoutMs: 30_000 }),
    ...documentHooks({
      get: async (key) => {
        const [found] = await client.range(keyOf(key));
        return found === undefined ? null : decode(found.value ?? '');
      },
      put: async (key, text) => {
        await client.call('/v3/kv/put', { key: encode(keyOf(key)), value: encode(text) });
      },
    }),
  });
});
