import type { ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Queue } from 'bullmq';
import { transformSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSqlite } from '../../packages/hustings/src/lease/stores/sqlite-library.ts';
import { outputOf, startProcess } from '../../test-kit/limits/child-process.ts';
import { describeWith, freePort, startRedis } from '../../test-kit/servers/index.ts';
import { until } from '../../test-kit/until.ts';
import { parseBlocks } from '../readme/blocks.ts';
import { createSandbox, type Sandbox } from '../readme/run-blocks.ts';
import { ROOT } from '../source/source-file.ts';
import { exampleOf } from './examples.ts';

const EXAMPLES = ['worker', 'nightly-report', 'queue-consumer', 'migrate', 'http-service', 'bullmq'];
const LIMIT_MS = 60_000;

let place: Sandbox;
const children: ChildProcess[] = [];
beforeAll(() => {
  place = createSandbox(ROOT, ['@photostructure/sqlite', 'bullmq', 'ioredis']);
  for (const name of EXAMPLES) {
    const { code } = transformSync(exampleOf(name), { loader: 'ts', format: 'esm', target: 'node20' });
    writeFileSync(join(place.folder, `${name}.js`), code);
  }
});
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  place?.remove();
});

interface Replica {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  printed(): string;
}

/** Starts an example as a separate process. */
function start(name: string, env: NodeJS.ProcessEnv = {}): Replica {
  const child = startProcess(process.execPath, [join(place.folder, `${name}.js`)], {
    cwd: place.folder,
    env: { ...place.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const output = outputOf(child);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { child, ended, printed: () => output.both };
}

async function stop(replicas: readonly Replica[]): Promise<void> {
  for (const { child } of replicas) child.kill('SIGTERM');
  for (const { ended, printed } of replicas) expect(await ended, printed()).toBe(0);
}

describe('the examples of docs/leases.md and docs/jobs', () => {
  it(
    'worker: one of three processes writes the report, and another takes over when it is killed',
    async () => {
      const replicas = [start('worker'), start('worker'), start('worker')];
      const reporting = (): Replica[] => replicas.filter(({ printed }) => printed().includes('report by'));
      await until(() => reporting().length === 1);
      const [first] = reporting();
      first.child.kill('SIGKILL');
      await until(() => reporting().length === 2);
      const [second] = reporting().filter((each) => each !== first);
      // One after the other: a replica that has not reported yet may still be starting, and the signal would kill it.
      await stop([second]);
      await until(() => reporting().length === 3);
      await stop(replicas.filter((each) => each !== first && each !== second));
    },
    LIMIT_MS,
  );

  it(
    'nightly-report: no tick starts twice, although the process that starts them is killed',
    async () => {
      const env = { SCHEDULE: '* * * * * *' };
      const replicas = [start('nightly-report', env), start('nightly-report', env)];
      const reports = ({ printed }: Replica): string[] =>
        [...printed().matchAll(/report of (\S+) by/g)].map(([, tick]) => tick);
      await until(() => replicas.some((each) => reports(each).length >= 2));
      const first = replicas.find((each) => reports(each).length > 0)!;
      const [other] = replicas.filter((each) => each !== first);
      expect(reports(other)).toEqual([]);
      first.child.kill('SIGKILL');
      await first.ended;
      await until(() => reports(other).length >= 2);
      await stop([other]);
      const all = replicas.flatMap(reports);
      expect(new Set(all).size).toBe(all.length);
    },
    LIMIT_MS,
  );

  it(
    'migrate: of three processes at the same time one carries out each migration, and all find the result',
    async () => {
      const replicas = [start('migrate'), start('migrate'), start('migrate')];
      for (const { ended, printed } of replicas) expect(await ended, printed()).toBe(0);
      const printed = replicas.map((each) => each.printed()).join('');
      expect(printed.match(/migrated to version \d/g)?.sort()).toEqual([
        'migrated to version 1',
        'migrated to version 2',
      ]);
      expect(printed.match(/the database has version 2/g)).toHaveLength(3);
    },
    LIMIT_MS,
  );

  it(
    'queue-consumer: every job is done once, in order, although consumers are killed',
    async () => {
      let replicas = [start('queue-consumer'), start('queue-consumer')];
      const { DatabaseSync } = await loadSqlite();
      // The table is empty: the leader says what it waits for.
      await until(() => replicas.some(({ printed }) => printed().includes('waits for jobs')));
      const database = new DatabaseSync(join(place.folder, 'queue.db'));
      database.exec(
        'PRAGMA busy_timeout = 5000; CREATE TABLE IF NOT EXISTS jobs (id INTEGER PRIMARY KEY, done_by TEXT)',
      );
      const done = (): number =>
        Number(database.prepare('SELECT count(*) AS n FROM jobs WHERE done_by IS NOT NULL').get()?.n);
      const add = database.prepare('INSERT INTO jobs (id) VALUES (?)');
      for (let id = 1; id <= 20; id++) add.run(id);
      const finishers = (): Replica[] => replicas.filter(({ printed }) => printed().includes('job 20'));
      await until(() => finishers().length > 0);
      const [busy] = finishers();
      busy.child.kill('SIGKILL');
      for (let id = 21; id <= 40; id++) add.run(id);
      await until(() => done() === 40);
      replicas = replicas.filter((each) => each !== busy);
      // The rows may be there before the lines have come through the pipe.
      await until(() => replicas[0].printed().includes('job 40'));
      expect(replicas[0].printed()).toContain('job 21\njob 22\n');
      database.close();
      await stop(replicas);
    },
    LIMIT_MS,
  );

  it(
    'http-service: the leader accepts writes, the other names the leader, and metrics and health are served',
    async () => {
      const replicas = [start('http-service', { REPLICA: 'a' }), start('http-service', { REPLICA: 'b' })];
      await until(() => replicas.every(({ printed }) => printed().includes('http://')));
      const urls = replicas.map(({ printed }) => printed().trim());
      const post = async (url: string): Promise<[number, string]> => {
        const response = await fetch(url, { method: 'POST' });
        return [response.status, await response.text()];
      };
      let answers: [number, string][] = [];
      await until(async () => {
        answers = await Promise.all(urls.map(post));
        // The other replica learns of the leader when it asks the store again.
        return (
          answers.some(([status]) => status === 200) && answers.some(([, text]) => text.endsWith(' leads\n'))
        );
      });
      const leads = answers.findIndex(([status]) => status === 200);
      expect(answers[leads][1]).toMatch(/^accepted under token \d+\n$/);
      expect(answers[1 - leads]).toEqual([421, `${'ab'[leads]} leads\n`]);
      const metrics = await (await fetch(`${urls[leads]}metrics`)).text();
      expect(metrics).toContain(`hustings_is_leader{election="orders",candidate="${'ab'[leads]}"} 1`);
      const health = await fetch(`${urls[1 - leads]}healthz`);
      expect([health.status, await health.json()]).toMatchObject([200, { healthy: true, state: 'waiting' }]);
      await stop(replicas);
    },
    LIMIT_MS,
  );
});

await describeWith('redis-server', 'the example of docs/jobs/bullmq.md', () => {
  it(
    'has its scheduler and worker on one of two processes, and on the other after a kill; each stops in order',
    async () => {
      const server = await startRedis();
      try {
        const env = { REDIS_URL: server.url };
        const replicas = [start('bullmq', env), start('bullmq', env)];
        const worksAt = ({ printed }: Replica): boolean => /job \S+ by \d+, token \d+/.test(printed());
        await until(() => replicas.some(worksAt));
        const first = replicas.find(worksAt)!;
        const [other] = replicas.filter((each) => each !== first);
        expect(worksAt(other)).toBe(false);
        first.child.kill('SIGKILL');
        await until(() => worksAt(other));
        await stop([other]);
        const queue = new Queue('digests', { connection: { url: server.url } });
        const { failed } = await queue.getJobCounts('failed');
        await queue.close();
        expect(failed, other.printed()).toBe(0);
      } finally {
        await server.stop();
      }
    },
    LIMIT_MS,
  );
});

it(
  'the worker of docs/jobs/python.md works while it leads, and hands over when it is stopped',
  async () => {
    const page = readFileSync(join(ROOT, 'docs/jobs/python.md'), 'utf8');
    const blocks = parseBlocks(page);
    const program = blocks.find(({ language }) => language === 'python')!.code;
    const serve = blocks.find(({ language }) => language === 'sh')!.code;
    const port = await freePort();
    writeFileSync(join(place.folder, 'worker.py'), program.replace('127.0.0.1:4748', `127.0.0.1:${port}`));
    const command = serve.replace('--port 4748', `--port ${port} --ttl 3s`);
    const env = { ...place.env, HUSTINGS_SERVE_TOKEN: '' };
    const options = { cwd: place.folder, env, stdio: ['ignore', 'pipe', 'pipe'] } as const;
    const sidecar = startProcess('sh', ['-c', `exec ${command}`], options);
    children.push(sidecar);
    const served = outputOf(sidecar);
    await until(() => served.both.includes(`${port}`));
    const worker = startProcess('python3', ['worker.py'], options);
    children.push(worker);
    const printed = outputOf(worker);
    await until(() => (printed.both.match(/working under token \d+$/gm)?.length ?? 0) > 3);
    // Ctrl-C: the program releases its campaign.
    worker.kill('SIGINT');
    await new Promise((resolve) => worker.once('exit', resolve));
    const view = await (await fetch(`http://127.0.0.1:${port}/leader`)).json();
    expect(view, printed.both).toMatchObject({ type: 'vacant' });
    sidecar.kill('SIGTERM');
  },
  LIMIT_MS,
);
