import { Redis } from 'ioredis';
import { afterAll, beforeAll } from 'vitest';
import { RedisLeaseStore } from '../../../src/lease/stores/redis.ts';
import { keysOf } from '../../../src/lease/stores/redis-row.ts';
import { describeWith, startRedis, type TestServer } from '../servers/index.ts';
import { storeContract } from '../store-contract.ts';

let server: TestServer;
let raw: Redis;

beforeAll(async () => {
  server = await startRedis();
  raw = new Redis(server.url);
});
afterAll(async () => {
  raw?.disconnect();
  await server?.stop();
});

await describeWith('redis-server', 'Redis', () => {
  storeContract('Redis', {
    open: (options) => RedisLeaseStore.open(server.url, options),
    setToken: async (name, token) => {
      await raw.hset(keysOf('hustings:', name).row, 'token', `${token}`);
    },
    tokensConsecutive: false,
  });
});
