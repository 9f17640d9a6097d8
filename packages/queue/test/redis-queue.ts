/** A real Redis server for a queue, which ends with the tests of a file. */
import { Redis } from 'ioredis';
import { afterAll, beforeAll } from 'vitest';
import { type RedisServerOptions, startRedis, type TestServer } from '../../../test-kit/servers/index.ts';

export interface TestQueue {
  url: string;
  redis: Redis;
}

export function redisQueue(options: RedisServerOptions = {}): TestQueue {
  const queue = {} as TestQueue;
  let server: TestServer;
  beforeAll(async () => {
    server = await startRedis({ appendonly: false, isNew: true, ...options });
    queue.url = server.url;
    queue.redis = new Redis(server.url);
  });
  afterAll(async () => {
    queue.redis?.disconnect();
    await server?.stop();
  });
  return queue;
}
