import { beforeAll, expect, it } from 'vitest';
import { hustings, type Started, startHustings, temporaryFolder } from '../../../../test-kit/command.ts';
import { describeWith } from '../../../../test-kit/servers/index.ts';
import { until } from '../../../../test-kit/until.ts';
import { redisQueue } from '../redis-queue.ts';
import { startWorker } from './queue-fixture.ts';

const folder = temporaryFolder();
const queue = redisQueue({ password: 'hunter2' });
const env = () => ({ HUSTINGS_QUEUE: queue.url });
const run = (...args: string[]) => hustings(args, folder.path, env());
const works = () => JSON.parse(run('queue', 'list', '--json').stdout).works;

await describeWith('redis-server', 'hustings queue', () => {
  let waiting: Started;
  let id: string;
  const start = (runs: number) =>
    startHustings(`sweep peterson --nodes 8 --runs ${runs} --queue`.split(' '), folder.path, env());

  beforeAll(async () => {
    const abandoned = start(200);
    await until(() => abandoned.errors().includes('no worker of this version is connected'));
    abandoned.end('SIGTERM');
    await abandoned.ended;
    [{ id }] = works();
    waiting = start(100);
  }, 60_000);

  it('is what a sweep names that waits behind the work of a command that is gone', async () => {
    const text = `waiting behind ${id}: sweep of peterson, 0 of `;
    await until(() => waiting.errors().includes(text));
    expect(waiting.errors()).toMatch(
      new RegExp(`${text}\\d+ jobs done, .*; to cancel it: hustings queue cancel ${id}\\n`),
    );
    expect(waiting.errors()).not.toContain('hunter2');
  });

  it('lists the works, oldest first, with the commands that wait for each', () => {
    expect(works()).toMatchObject([
      { id, work: 'sweep of peterson', done: 0, jobs: expect.any(Number), commands: 0 },
      { work: 'sweep of peterson', done: 0, commands: 1 },
    ]);
    const { status, stdout } = run('queue', 'list');
    expect(status).toBe(0);
    expect(stdout).toMatch(new RegExp(`\\n${id} .*sweep of peterson .*none\\n`));
    expect(stdout).toContain('no workers of this version');
  });

  it('cancels one of them, once', () => {
    expect(run('queue', 'cancel', id)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(`cancelled ${id}: sweep of peterson`),
    });
    expect(works()).toMatchObject([{ commands: 1 }]);
    const again = run('queue', 'cancel', id);
    expect(again.status).toBe(1);
    expect(again.stdout).toMatch(/^the queue has no work .*hustings queue list.*\n$/);
    expect(JSON.parse(run('queue', 'cancel', id, '--json').stdout)).toEqual({ id, cancelled: false });
  });

  it('is served by a worker that prints its events as lines of JSON', async () => {
    const worker = await startWorker(['--json'], folder.path, env());
    expect((await waiting.ended).status).toBe(0);
    const events = () => worker.lines().map((line) => JSON.parse(line));
    await until(() => events().some(({ type }) => type === 'work'));
    worker.end('SIGTERM');
    expect((await worker.ended).status).toBe(0);
    expect(events()).toMatchObject([
      { type: 'started', cores: 1, at: expect.stringMatching(/^\d{4}-.*Z$/), worker: expect.any(String) },
      { type: 'work', id: expect.stringMatching(/^\w+-\w+$/), work: 'sweep of peterson' },
      { type: 'stopped' },
    ]);
    expect(works()).toEqual([]);
  });

  it.each(['worker', 'sweep peterson'])('%s without the password says in one line what to set', (command) => {
    const url = queue.url.replace(/:\/\/.*@/, '://');
    const { status, stderr } = hustings([...command.split(' '), '--queue', url]);
    expect(status).toBe(3);
    expect(stderr).toBe(`hustings: ${url} needs a password; set HUSTINGS_QUEUE to a URL with the password\n`);
  });

  it('names its actions', () => {
    expect(run('queue')).toMatchObject({ status: 2, stderr: expect.stringContaining('hustings queue list') });
    expect(run('queue', 'cancle', id)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(
        'is not an action of queue: it has list and cancel; did you mean cancel?',
      ),
    });
  });
});
