/** Worker processes of a queue, which end with the tests of a file. */
import type { Redis } from 'ioredis';
import { afterAll } from 'vitest';
import { type Started, startHustings } from '../../../../test-kit/command.ts';
import { until } from '../../../../test-kit/until.ts';

/** Longer than all tests of a file. */
const WORKER_MS = 600_000;

const started: Started[] = [];
afterAll(async () => {
  for (const worker of started) worker.end('SIGKILL');
  await Promise.all(started.map(({ ended }) => ended));
});

/** Resolves when it has connected. */
export async function startWorker(
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<Started> {
  const worker = startHustings(['worker', '--cores', '1', ...args], cwd, env, { limitMs: WORKER_MS });
  started.push(worker);
  await until(() => worker.lines().some((line) => line.includes('worker')));
  return worker;
}

/** The keys without an expiry, and the keys outside the prefix. */
export async function strayKeys(redis: Redis): Promise<string[]> {
  const keys = await redis.keys('*');
  const left = await Promise.all(keys.map((key) => redis.pttl(key)));
  return keys.filter((key, index) => Number(left[index]) === -1 || !key.startsWith('hustings:queue:'));
}
