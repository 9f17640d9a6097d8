import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it, vi } from 'vitest';
import { installBuilt } from '../../../../test-kit/built-packages.ts';
import { hustings, startHustings, temporaryFolder } from '../../../../test-kit/command.ts';
import { describeWith } from '../../../../test-kit/servers/index.ts';
import { until } from '../../../../test-kit/until.ts';
import { redisQueue } from '../redis-queue.ts';
import { startWorker, strayKeys } from './queue-fixture.ts';

const folder = temporaryFolder();
const queue = redisQueue();
const read = (name: string): string => readFileSync(join(folder.path, name), 'utf8');
const run = (line: string) => hustings(line.split(' '), folder.path);

/** A right ring algorithm whose handler throws for rings of `failsAt` nodes. */
const file = (
  failsAt: number,
): string => `import { announcement, defineAlgorithm, id, message } from '@hustings/study/kernel';
import { next } from './port.ts';
export const mine = defineAlgorithm({
  name: 'mine', title: 'Mine', source: 'a test', cost: 'n',
  assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: false, knows: ['n'] },
  params: {}, state: {}, laws: [],
  messages: { token: message(['id', id()]), elected: announcement(['id', id()]) },
  onStart(_state, ctx) { ctx.send(next, 'token', ctx.id); },
  on: {
    token(_state, _port, { id }, ctx) {
      if (ctx.n === ${failsAt}) throw new Error('the handler failed');
      if (id === ctx.id) { ctx.decide('leader'); ctx.send(next, 'elected', id); }
      else if (id > ctx.id || !ctx.initiator) ctx.forward(next);
    },
    elected(_state, _port, { id }, ctx) {
      if (id === ctx.id) return;
      ctx.decide('follower', id);
      ctx.forward(next);
    },
  },
});
`;

await describeWith('redis-server', 'a sweep on a queue', () => {
  vi.setConfig({ testTimeout: 180_000 });
  let workers: Awaited<ReturnType<typeof startWorker>>[];
  beforeAll(async () => {
    writeFileSync(join(folder.path, 'port.ts'), 'export const next = 1;\n');
    writeFileSync(join(folder.path, 'mine.ts'), file(0));
    writeFileSync(join(folder.path, 'fails.ts'), file(5));
    const args = ['--queue', queue.url];
    workers = await Promise.all([startWorker(args, folder.path), startWorker(args, folder.path)]);
  }, 60_000);

  const SWEEP = 'sweep chang-roberts,peterson --nodes 4,64 --runs 600';

  it('gives the CSV of one machine, byte for byte, and leaves no key without expiry', async () => {
    const shared = run(`${SWEEP} --csv shared.csv --queue ${queue.url}`);
    const local = run(`${SWEEP} --csv local.csv --save local.json`);
    expect(shared.stderr).toBe('');
    expect(shared.stdout.replace('shared.csv', 'local.csv, local.json')).toBe(local.stdout);
    expect(read('shared.csv')).toBe(read('local.csv'));
    expect(read('shared.csv')).toContain('true');
    const text = 'sweep of chang-roberts, peterson';
    await until(() => workers.every((worker) => worker.lines().some((line) => line.endsWith(text))));
    expect(await strayKeys(queue.redis)).toEqual([]);
  });

  it('is found again by the same command, which prints the same result', () => {
    const again = run(`${SWEEP} --json --queue ${queue.url}`);
    expect(again.stderr).toMatch(/^hustings: the queue has this work already.*\n$/);
    expect(again.stdout).toBe(read('local.json'));
  });

  it('ends with the error of one core', () => {
    const failing = 'sweep peterson-without-max --nodes 4..64 --runs 300';
    const local = run(`${failing} --cores 1`);
    expect(local.status).toBe(1);
    expect(run(`${failing} --queue ${queue.url}`)).toEqual(local);
  });

  it('with a file waits for a worker that accepts files, outlives its command, and is then equal', async () => {
    const sweep = 'sweep ./mine.ts --nodes 4,8 --runs 300';
    const args = [...`${sweep} --csv shared.csv --queue ${queue.url}`.split(' ')];
    const shared = startHustings(args, folder.path);
    await until(() => shared.errors().includes('no connected worker accepts your files'));
    await until(() => workers[0].errors().includes('--allow-files'));
    shared.end('SIGTERM');
    expect(await shared.ended).toMatchObject({
      status: 143,
      stderr: expect.stringContaining('the work stays in the queue'),
    });
    await startWorker(['--queue', queue.url, '--allow-files'], folder.path);
    const again = run(args.join(' '));
    expect(again).toMatchObject({ status: 0, stderr: expect.stringContaining('has this work already') });
    run(`${sweep} --csv local.csv`);
    expect(read('shared.csv')).toBe(read('local.csv'));
    const failing = 'sweep ./fails.ts --nodes 4,5 --runs 300';
    const local = run(`${failing} --cores 1`);
    expect(local.stderr).toContain('the handler failed (fails.ts:11:');
    expect(run(`${failing} --queue ${queue.url}`)).toEqual(local);
  });

  it('is not computed by a worker of another build, and both say so; Ctrl-C removes its jobs', async () => {
    const other = join(folder.path, 'other');
    installBuilt(other);
    const engine = join(other, 'node_modules/@hustings/study/dist/simulator/simulate.js');
    writeFileSync(engine, `${readFileSync(engine, 'utf8')}\n// another engine\n`);
    const args = `sweep chang-roberts --nodes 32 --runs 100000 --queue ${queue.url}`.split(' ');
    const sweep = startHustings(
      args,
      folder.path,
      {},
      { main: join(other, 'node_modules/hustings/dist/cli/main.js') },
    );
    await until(() => sweep.errors().includes('no worker of this version is connected'));
    expect(sweep.errors()).toMatch(
      /worker \S+ takes no part: it is hustings \S+ \(build \w+, .*install the same/,
    );
    await until(() => workers.every((worker) => /command \S+ is not served: it is/.test(worker.errors())));
    const jobs = async () => (await queue.redis.keys('hustings:queue:*:jobs:plain:*-*-*')).length;
    await until(async () => (await jobs()) > 0);
    sweep.end('SIGINT');
    const { status, stdout } = await sweep.ended;
    expect(status).toBe(130);
    expect(stdout).toContain('incomplete: stopped after 0 of 100000 runs');
    expect(await jobs()).toBe(0);
    expect(await strayKeys(queue.redis)).toEqual([]);
  });
});
