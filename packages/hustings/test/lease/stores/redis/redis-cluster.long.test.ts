/** Three primaries and a replica: the contract, a slot that moves, and a primary that dies. */
import { Cluster } from 'ioredis';
import { createCluster } from 'redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWith, startRedis } from '../../../../../../test-kit/servers/index.ts';
import { type ClusterSetup, startCluster } from '../../../../../../test-kit/servers/redis-cluster.ts';
import { InputError } from '../../../../../base/src/hustings-error.ts';
import {
  RedisLeaseStore,
  type RedisStoreOptions,
} from '../../../../src/lease/stores/redis/redis-lease-store.ts';
import { keysOf } from '../../../../src/lease/stores/redis/redis-row.ts';
import { claim, claimOf, eventually, renew, win } from '../../contract/single-call.ts';
import { storeContract } from '../../contract/store-contract.ts';
import { duringCampaign, ELECTION, staleLines } from '../leading.ts';
import { redisHooks } from './redis-hooks.ts';

const TTL_MS = 2_000;
const PREFIX = '{hustings:}';

describe('the URL of a Redis Cluster', () => {
  it.each([
    ['redis+cluster://h1,h2/1', 'a Cluster has one database'],
    ['redis+cluster://h1,,h2', 'an empty host'],
    ['redis+cluster://h1,h2?sentinelPassword=x', 'can only have'],
  ])('%s is refused', async (url, why) => {
    await expect(RedisLeaseStore.open(url)).rejects.toThrow(InputError);
    await expect(RedisLeaseStore.open(url)).rejects.toThrow(why);
  });
});

await describeWith('redis-server', 'a Redis Cluster', () => {
  let setup: ClusterSetup;
  let cluster: Cluster;
  let raw: Cluster;
  const opened: RedisLeaseStore[] = [];
  const open = async (
    source: Parameters<typeof RedisLeaseStore.open>[0] = setup.url,
    options?: RedisStoreOptions,
  ): Promise<RedisLeaseStore> => {
    const store = await RedisLeaseStore.open(source, options);
    opened.push(store);
    return store;
  };

  beforeAll(async () => {
    setup = await startCluster();
    cluster = new Cluster([{ host: '127.0.0.1', port: setup.primaries[2].port }], {
      redisOptions: { keyPrefix: 'app:' },
    });
    raw = new Cluster([setup.primaries[0].url]);
    for (const each of [cluster, raw]) each.on('error', () => undefined);
  }, 120_000);
  afterAll(async () => {
    for (const store of opened) await store.close();
    for (const each of [cluster, raw]) each?.disconnect();
    await setup?.stop();
  });

  storeContract('Redis Cluster', {
    open: (options) => open(cluster, { ...options, waitAfterRestart: false, timeoutMs: 20_000 }),
    runs: 5,
    ...redisHooks(() => raw, PREFIX),
  });

  it('keeps all keys of a store in one slot, and renews a list in one call', async () => {
    const store = await open(setup.url, { waitAfterRestart: false });
    const names = ['in one slot', '{in one slot}', 'in { one } slot'];
    const answers = await store.acquire(names.map((name) => claimOf(name, 'x')));
    expect(answers.map(({ type }) => type)).toEqual(names.map(() => 'ok'));
    const [first] = setup.primaries;
    for (const name of names) expect(await setup.node(first).exists(keysOf(PREFIX, name).row)).toBe('1');
    expect(await store.names()).toEqual(expect.arrayContaining(names));
    expect(store.label).toMatch(/^redis\+cluster:\/\/127\.0\.0\.1:\d+,/);
  });

  it('is used with an existing cluster of node-redis', async () => {
    const rootNodes = [{ url: setup.primaries[2].url }];
    const existing = createCluster({ rootNodes, defaults: { socket: { reconnectStrategy: false } } });
    const store = await open(existing, { waitAfterRestart: false });
    expect(store.label).toBe(`redis+cluster://127.0.0.1:${setup.primaries[2].port}`);
    const token = await win(store, 'by node-redis', 'a');
    const both = ['a', 'b'].map((id) => ({
      name: 'by node-redis',
      nonce: `${id}-nonce`,
      token,
      ttlMs: 60_000,
    }));
    expect(await store.renew(both)).toMatchObject([{ type: 'ok' }, { type: 'lost' }]);
  });

  it('is refused by the URL of a single server, and a single server by the URL of a Cluster', async () => {
    const single = await open(setup.primaries[0].url);
    await expect(claim(single, 'job', 'a')).rejects.toMatchObject({
      kind: 'unusable',
      message: expect.stringContaining('redis+cluster://'),
    });
    const server = await startRedis({ appendonly: false });
    try {
      const wrong = await open(server.url.replace('redis:', 'redis+cluster:'));
      await expect(claim(wrong, 'job', 'a')).rejects.toMatchObject({
        kind: 'unusable',
        message: expect.stringContaining('is no Redis Cluster'),
      });
    } finally {
      await server.stop();
    }
  });

  it('serves leases while their slot moves and after it, and a free lease waits for one ttl', async () => {
    const [from, to] = setup.primaries;
    const [source, target] = [setup.node(from), setup.node(to)];
    const store = await open(setup.url, { waitAfterRestart: false, timeoutMs: 20_000 });
    const other = await open(createCluster({ rootNodes: [{ url: from.url }] }), { timeoutMs: 20_000 });
    const waiting = await open(setup.url);
    const token = await win(store, 'moved', 'a');
    const kept = await win(store, 'left behind', 'a');
    const [fromId, toId] = [
      `${await source.call('CLUSTER', 'MYID')}`,
      `${await target.call('CLUSTER', 'MYID')}`,
    ];
    const slot = Number(await source.call('CLUSTER', 'KEYSLOT', PREFIX));
    await target.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', fromId);
    await source.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', toId);
    const expectRenewed = async (when: string): Promise<void> => {
      for (const each of [store, other])
        expect(await renew(each, 'moved', 'a', token), `${when}: ${each.label}`).toMatchObject({
          type: 'ok',
        });
    };
    await expectRenewed('before its keys move');
    const migrate = async (keys: readonly string[]): Promise<void> => {
      await source.call('MIGRATE', '127.0.0.1', to.port, '', 0, 5_000, 'KEYS', ...keys);
    };
    await migrate([keysOf(PREFIX, '').layout, keysOf(PREFIX, 'moved').row]);
    await expectRenewed('while the slot moves');
    const both = [
      { name: 'moved', nonce: 'a-nonce', token, ttlMs: 60_000 },
      { name: 'moved', nonce: 'b-nonce', token, ttlMs: 60_000 },
    ];
    expect(await store.renew(both)).toMatchObject([{ type: 'ok' }, { type: 'lost' }]);
    await expect(renew(store, 'left behind', 'a', kept)).rejects.toMatchObject({ kind: 'busy' });
    for (let keys = [' ']; keys.length > 0; ) {
      keys = (await source.call('CLUSTER', 'GETKEYSINSLOT', slot, 100)) as string[];
      if (keys.length > 0) await migrate(keys);
    }
    for (const node of [target, source]) await node.call('CLUSTER', 'SETSLOT', slot, 'NODE', toId);
    await expectRenewed('after the slot moved');
    expect(await store.renew(both)).toMatchObject([{ type: 'ok' }, { type: 'lost' }]);
    expect(await renew(store, 'left behind', 'a', kept)).toMatchObject({ type: 'ok' });
    expect(await claim(waiting, 'never held here', 'b')).toMatchObject({
      type: 'held',
      record: { holder: null },
    });
  });

  it('has one leader at a time through the loss of the primary of its slot, and tokens rise', async () => {
    const stores = await Promise.all([open(), open(), open(cluster)]);
    const [, primary] = setup.primaries;
    const replica = setup.node(setup.replica);
    const lines = await duringCampaign(stores, TTL_MS, async ({ writes }) => {
      await writes();
      await setup.allowFailover();
      await primary.kill9();
      const isPromoted = async () => /role:master/.test(await replica.info('replication')) || undefined;
      await eventually(isPromoted, 'the replica was promoted');
      await writes();
    });
    expect(staleLines(lines)).toEqual([]);
    expect(await (await open()).read([ELECTION])).toMatchObject([{ token: lines.at(-1)?.token }]);
  });
});
