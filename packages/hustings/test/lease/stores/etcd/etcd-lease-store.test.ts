import { afterAll, expect, it } from 'vitest';
import { describeWith, startEtcd } from '../../../../../../test-kit/servers/index.ts';
import { SETTINGS } from '../../../../src/lease/stores/document/document-server.ts';
import { decode, EtcdClient, encode } from '../../../../src/lease/stores/etcd/etcd-client.ts';
import { EtcdLeaseStore } from '../../../../src/lease/stores/etcd/etcd-lease-store.ts';
import { etcdSettings } from '../../../../src/lease/stores/etcd/etcd-settings.ts';
import { releaseOf } from '../../contract/single-call.ts';
import { storeContract } from '../../contract/store-contract.ts';
import { claimOf } from '../../contract/suite.ts';
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

  it('writes long documents of many elections in requests that etcd accepts', async () => {
    const store = await EtcdLeaseStore.open(server.url, { timeoutMs: 30_000 });
    const claims = Array.from({ length: 61 }, (_, index) =>
      claimOf(`long ${index}`, 'a', { metadata: { note: 'x'.repeat(4_000) } }),
    );
    const keyOfLong = (name: string): string => encode(`hustings/election/${name}`);
    await store.acquire(claims);
    // As after many terms with metadata: 61 documents of more than 30 kB.
    for (const { name } of claims) {
      const [{ value = '' }] = await client.range(`hustings/election/${name}`);
      const longer = { ...JSON.parse(decode(value)), comment: 'y'.repeat(30_000) };
      await client.call('/v3/kv/put', { key: keyOfLong(name), value: encode(JSON.stringify(longer)) });
    }
    const other = await EtcdLeaseStore.open(server.url, { timeoutMs: 30_000 });
    const again = await other.acquire(claims);
    expect(new Set(again.map(({ type }) => type))).toEqual(new Set(['ok']));
    await expect(other.acquireAll!(claims.slice(0, 40))).rejects.toMatchObject({ kind: 'unusable' });
    await Promise.all([store.close(), other.close()]);
  });

  it('has no lease of etcd, and leaves no key of an election that was pruned', async () => {
    const store = await EtcdLeaseStore.open(server.url, { timeoutMs: 30_000 });
    const [granted] = await store.acquire([claimOf('idle', 'a')]);
    if (granted.type !== 'ok') throw new Error('the election was not granted');
    expect(await client.call('/v3/lease/leases', {})).not.toHaveProperty('leases');
    await store.release([releaseOf('idle', 'a', granted.token)]);
    expect((await client.range('hustings/holder/idle'))[0].value ?? '').toBe('');
    expect(await store.prune(0)).toContain('idle');
    for (const key of ['holder', 'election']) expect(await client.range(`hustings/${key}/idle`)).toEqual([]);
    await store.close();
  });

  it('notifies nobody of a renewal, even if a waiter has written the document meanwhile', async () => {
    const [holder, waiter] = await Promise.all([
      EtcdLeaseStore.open(server.url, { timeoutMs: 30_000 }),
      EtcdLeaseStore.open(server.url, { timeoutMs: 30_000 }),
    ]);
    const claim = claimOf('with a waiter', 'a');
    const [granted] = await holder.acquire([claim]);
    if (granted.type !== 'ok') throw new Error('the election was not granted');
    const revisions = async (): Promise<string[]> => {
      const keys = ['hustings/holder/with a waiter', 'hustings/election/with a waiter'];
      const found = await Promise.all(keys.map((key) => client.range(key)));
      return found.map(([{ mod_revision }]) => mod_revision);
    };
    const before = await revisions();
    await waiter.acquire([claimOf('with a waiter', 'b', { registerMs: 60_000 })]);
    const registered = await revisions();
    const { name, nonce, ttlMs } = claim;
    const [renewed] = await holder.renew([{ name, nonce, ttlMs, token: granted.token }]);
    const after = await revisions();
    expect(renewed.type).toBe('ok');
    // Watchers look at the key of the holder; the document has changed each time.
    expect([registered[0], after[0]]).toEqual([before[0], before[0]]);
    expect(new Set([before[1], registered[1], after[1]]).size).toBe(3);
    await Promise.all([holder.close(), waiter.close()]);
  });

  it('grants 60 elections at once, all of them twice to the same nonce, and refuses 61', async () => {
    const store = await EtcdLeaseStore.open(server.url, { timeoutMs: 30_000 });
    const claims = Array.from({ length: 61 }, (_, index) => claimOf(`together ${index}`, 'a'));
    const granted = await store.acquireAll!(claims.slice(1));
    expect(granted.map(({ type }) => type)).toEqual(claims.slice(1).map(() => 'ok'));
    const again = await EtcdLeaseStore.open(server.url, { timeoutMs: 30_000 });
    expect(await again.acquireAll!(claims.slice(1))).toEqual(granted);
    await expect(store.acquireAll!(claims)).rejects.toMatchObject({
      kind: 'unusable',
      message: expect.stringContaining('changes at most 60 elections with 1000000 bytes in all, not 61 with'),
    });
    await Promise.all([store.close(), again.close()]);
  });
});
