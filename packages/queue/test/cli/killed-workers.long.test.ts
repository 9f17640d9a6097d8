import { readFileSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { MAIN, temporaryFolder } from '../../../../test-kit/command.ts';
import { startProcess } from '../../../../test-kit/limits/child-process.ts';
import { describeWith } from '../../../../test-kit/servers/index.ts';
import { until } from '../../../../test-kit/until.ts';
import { redisQueue } from '../redis-queue.ts';
import { startWorker, strayKeys } from './queue-fixture.ts';

const folder = temporaryFolder();
const queue = redisQueue();
const SWEEP = 'sweep chang-roberts --nodes 64,128 --schedule random --runs 50000'.split(' ');

/** Runs the sweep; `pid` is known at once. */
function start(
  csv: string,
  ...args: string[]
): { readonly pid: number; readonly status: Promise<number | null> } {
  const child = startProcess(process.execPath, [MAIN, ...SWEEP, '--csv', csv, ...args], {
    cwd: folder.path,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return { pid: child.pid as number, status: new Promise((resolve) => child.on('close', resolve)) };
}

const read = (name: string): string => readFileSync(join(folder.path, name), 'utf8');

await describeWith('redis-server', 'a sweep of 100,000 runs', () => {
  let local: string;
  beforeAll(async () => {
    expect(await start('local.csv').status).toBe(0);
    local = read('local.csv');
    expect(local.match(/,50000,50000,true,/g)).toHaveLength(2);
  }, 300_000);

  const worker = () => startWorker(['--queue', queue.url], folder.path);
  const pidOf = (started: { lines(): string[] }): number =>
    Number(/^worker \S+-(\d+):/.exec(started.lines()[0])?.[1]);

  /** Waits until this share of the jobs is merged. */
  async function reach(share: number): Promise<void> {
    await until(async () => {
      const [batch] = await queue.redis.keys('hustings:queue:*:batch:*');
      if (batch === undefined) return false;
      const [status, jobs, merged] = await queue.redis.hmget(batch, 'status', 'jobs', 'merged');
      expect(status, `it ended before ${share} of its jobs were merged`).toBe('running');
      return Number(merged) >= share * Number(jobs);
    });
  }

  const coordinator = async (): Promise<number> => {
    const [row] = await queue.redis.keys('hustings:queue:*:lease:{coordinator}:lease');
    const id = (row === undefined ? null : await queue.redis.hget(row, 'id')) ?? '';
    return id.startsWith(`${hostname()}-`) ? Number(id.slice(hostname().length + 1)) : 0;
  };

  it('has the same CSV from one worker', async () => {
    const only = await worker();
    expect(await start('one.csv', '--queue', queue.url).status).toBe(0);
    expect(read('one.csv')).toBe(local);
    only.end('SIGTERM');
    expect((await only.ended).status).toBe(0);
  });

  it('has the same CSV from three workers, one killed twice, the coordinator and the command killed once', async () => {
    await queue.redis.flushall();
    const workers = await Promise.all([worker(), worker(), worker()]);
    const replace = async (index: number): Promise<void> => {
      workers[index].end('SIGKILL');
      await workers[index].ended;
      workers[index] = await worker();
    };
    await until(async () => (await coordinator()) > 0);
    const first = start('three.csv', '--queue', queue.url);
    await reach(0.1);
    await replace(0);
    await reach(0.25);
    await replace(0);
    await reach(0.4);
    let leader = -1;
    await until(async () => {
      const pid = await coordinator();
      leader = workers.findIndex((each) => pidOf(each) === pid);
      return leader >= 0 || pid === first.pid;
    });
    // The command may have taken over when a worker was killed: then its death is that of the coordinator.
    const killed = await coordinator();
    if (leader >= 0) await replace(leader);
    await reach(0.5);
    process.kill(first.pid, 'SIGKILL');
    await first.status;
    await until(async () => ![0, killed, first.pid].includes(await coordinator()));
    rmSync(join(folder.path, 'three.csv'), { force: true });
    expect(await start('three.csv', '--queue', queue.url).status).toBe(0);
    expect(read('three.csv')).toBe(local);
    for (const each of workers) each.end('SIGTERM');
    for (const each of workers) expect((await each.ended).status).toBe(0);
    expect(await strayKeys(queue.redis)).toEqual([]);
  });
});
