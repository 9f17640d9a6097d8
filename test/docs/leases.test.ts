import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSqlite } from '../../packages/hustings/src/lease/stores/sqlite-library.ts';
import { outputOf, startProcess } from '../../test-kit/limits/child-process.ts';
import { until } from '../../test-kit/until.ts';
import { createSandbox, type Sandbox } from '../readme/run-blocks.ts';
import { ROOT } from '../source/source-file.ts';
import { exampleOf } from './examples.ts';

const EXAMPLES = ['cron', 'queue-consumer', 'http-service'];
const LIMIT_MS = 60_000;

let place: Sandbox;
const children: ChildProcess[] = [];
beforeAll(() => {
  place = createSandbox(ROOT, ['@photostructure/sqlite']);
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

describe('the examples of docs/leases.md', () => {
  it(
    'cron: one of three processes writes the report, and another takes over when it is killed',
    async () => {
      const replicas = [start('cron'), start('cron'), start('cron')];
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
