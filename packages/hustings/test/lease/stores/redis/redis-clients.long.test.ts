/** The contract on every kind of existing client; node-redis.long.test.ts and redis-cluster.long.test.ts run it on two of them. */
import { Redis } from 'ioredis';
import { createCluster } from 'redis';
import { afterAll, beforeAll } from 'vitest';
import { describeWith, startRedis } from '../../../../../../test-kit/servers/index.ts';
import { startCluster } from '../../../../../../test-kit/servers/redis-cluster.ts';
import { GROUP, startSentinels } from '../../../../../../test-kit/servers/redis-sentinels.ts';
import { type RedisClient, RedisLeaseStore } from '../../../../src/lease/stores/redis/redis-lease-store.ts';
import { storeContract } from '../../contract/store-contract.ts';
import { redisHooks } from './redis-hooks.ts';

interface Setup {
  readonly client: RedisClient;
  readonly raw: Redis;
  stop(): Promise<void>;
}

async function onServer(): Promise<Setup> {
  const server = await startRedis();
  const address = { host: '127.0.0.1', port: server.port };
  const [client, raw] = [new Redis({ ...address, keyPrefix: 'app:' }), new Redis(address)];
  return {
    client,
    raw,
    stop: async () => {
      client.disconnect();
      raw.disconnect();
      await server.stop();
    },
  };
}

async function onSentinels(): Promise<Setup> {
  const setup = await startSentinels();
  const sentinels = setup.sentinels.map(({ port }) => ({ host: '127.0.0.1', port }));
  const [client, raw] = [1, 2].map(() => new Redis({ sentinels, name: GROUP }));
  return {
    client,
    raw,
    stop: async () => {
      client.disconnect();
      raw.disconnect();
      await setup.stop();
    },
  };
}

async function onCluster(): Promise<Setup> {
  const setup = await startCluster();
  const [first] = setup.primaries;
  return {
    client: createCluster({ rootNodes: [{ url: first.url }] }),
    raw: setup.node(first),
    stop: () => setup.stop(),
  };
}

for (const [title, start, prefix] of [
  ['ioredis', onServer, 'hustings:'],
  ['ioredis with Sentinels', onSentinels, 'hustings:'],
  ['a cluster of node-redis', onCluster, '{hustings:}'],
] as const) {
  await describeWith('redis-server', title, () => {
    let setup: Setup;
    beforeAll(async () => {
      setup = await start();
    }, 120_000);
    afterAll(() => setup?.stop());
    storeContract(title, {
      open: (options) =>
        RedisLeaseStore.open(setup.client, { timeoutMs: 20_000, waitAfterRestart: false, ...options }),
      ...redisHooks(() => setup.raw, prefix),
    });
  });
}
