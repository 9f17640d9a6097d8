/** Servers and stores that end with their test, in the reverse order of their start. */
import { afterEach } from 'vitest';
import {
  type RedisServerOptions,
  startRedis,
  type TestServer,
} from '../../../../../../test-kit/servers/index.ts';
import {
  RedisLeaseStore,
  type RedisStoreOptions,
} from '../../../../src/lease/stores/redis/redis-lease-store.ts';

/** What ends with the test. */
export const toEnd: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of toEnd.splice(0).reverse()) await end();
});

export async function start(options?: RedisServerOptions): Promise<TestServer> {
  const server = await startRedis(options);
  toEnd.push(() => server.stop());
  return server;
}

export async function open(
  source: Parameters<typeof RedisLeaseStore.open>[0],
  options?: RedisStoreOptions,
): Promise<RedisLeaseStore> {
  const store = await RedisLeaseStore.open(source, options);
  toEnd.push(() => store.close());
  return store;
}
