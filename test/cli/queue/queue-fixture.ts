/** Workers of a queue on a real Redis, which end with the tests of a file. */
import { Redis } from 'ioredis';
import { afterAll, beforeAll } from 'vitest';
import { until } from '../../elector/until.ts';
import { startRedis, type TestServer } from '../../lease/servers/index.ts';
import { type Started, startHustings } from '../command.ts';

export interface TestQueue {
  url: string;
  redis: Redis;
}

export function redisQueue(): TestQueue {
  const queue = {} as TestQueue;
  let server: TestServer;
  beforeAll(async () => {
    server = await startRedis({ appendonly: false, isNew: true });
    queue.url = server.url;
    queue.redis = new Redis(server.url);
  });
  afterAll(async () => {
    queue.redis?.disconnect();
    await server?.stop();
  });
  return queue;
}

/** Longer than all tests of a file. */
const WORKER_MS = 600_000;

const started: Started[] = [];
afterAll(async () => {
  for (const worker of started) worker.end('SIGKILL');
  await Promise.all(started.map(({ ended }) => ended));
});

/** Resolves when it has connected. */
export async function startWorker(args: readonly string[], cwd: string): Promise<Started> {
  const worker = startHustings(['worker', '--cores', '1', ...args], cwd, {}, { limitMs: WORKER_MS });
  started.push(worker);
  await until(() => worker.lines().some((line) => line.startsWith('worker ')));
  return worker;
}

/** The keys without an expiry, and the keys outside the prefix. */
export async function strayKeys(redis: Redis): Promise<string[]> {
  const keys = await redis.keys('*');
  const left = await Promise.all(keys.map((key) => redis.pttl(key)));
  return keys.filter((key, index) => Number(left[index]) === -1 || !key.startsWith('hustings:queue:'));
}
