import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../../../../test/source/source-file.ts';
import { temporaryFolder } from '../../../../../test-kit/command.ts';
import { eventually } from '../../../../../test-kit/eventually.ts';
import { outputOf, startProcess } from '../../../../../test-kit/limits/child-process.ts';
import {
  hasProcessTable,
  livingInSession,
  readProcess,
  sendSignal,
} from '../../../../base/src/node/process-table.ts';
import { openStore } from '../../../src/lease/open-store.ts';

const folder = temporaryFolder();
const REPLICA = join(ROOT, 'packages/hustings/test/lease/host/replica.mjs');
const PARENT = join(ROOT, 'packages/hustings/test/lease/host/restarting-parent.mjs');
/** Nobody waits for it here: a successor before its end has a proof. */
const LONG_MS = 600_000;

const launchers: ChildProcess[] = [];
afterAll(() => {
  // Each has a session of its own, so that everything in it can be ended. The launcher first: it may start others again.
  for (const { pid: launcher } of launchers) {
    for (const { pid } of [{ pid: launcher! }, ...livingInSession(launcher!)]) sendSignal(pid, 'SIGKILL');
  }
});

/** What a replica prints. */
interface Line {
  readonly pid: number;
  readonly type: 'waiting' | 'elected';
}

interface Launcher {
  readonly command: string;
  readonly args: readonly string[];
}

const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(' ');

/** Ways to start three replicas in one session. */
const LAUNCHERS: Readonly<Record<string, (replica: readonly string[]) => Launcher>> = {
  'one shell': (replica) => ({
    command: 'sh',
    args: ['-c', `${`${quoted(replica)} & `.repeat(3)} wait`],
  }),
  'an npm script': (replica) => {
    const scripts = { replica: quoted(replica), replicas: `${'npm run replica & '.repeat(3)} wait` };
    const project = mkdtempSync(join(folder.path, 'project-'));
    writeFileSync(join(project, 'package.json'), JSON.stringify({ scripts }));
    return { command: 'npm', args: ['--prefix', project, '--silent', 'run', 'replicas'] };
  },
  'a process manager that restarts them': (replica) => ({
    command: process.execPath,
    args: [PARENT, ...replica],
  }),
};

/** Written by the shell that a leader runs. */
const pidIn = (file: string): number => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0);

let files = 0;

async function launch(how: string, ttlMs: number, work: string) {
  const url = `sqlite:${join(folder.path, `leases-${++files}.db`)}`;
  const { command, args } = LAUNCHERS[how]([
    process.execPath,
    '--no-warnings',
    REPLICA,
    url,
    String(ttlMs),
    work,
  ]);
  const launcher = startProcess(command, args, { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  launchers.push(launcher);
  const output = outputOf(launcher);
  const lines = (): Line[] =>
    output.stdout
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
  const elected = (): number[] =>
    lines()
      .filter(({ type }) => type === 'elected')
      .map(({ pid }) => pid);
  await eventually(
    'three stand',
    () => new Set(lines().map(({ pid }) => pid)).size === 3 && elected().length === 1,
  );
  const [leader] = elected();
  const causes = async () => {
    const store = await openStore(url);
    const terms = await store.history('x');
    await store.close();
    return terms.map(({ cause }) => cause);
  };
  return { leader, elected, causes };
}

describe.skipIf(!hasProcessTable())('replicas of one session (where there is a /proc)', () => {
  // The shell ends before its child: nothing links the child to the leader but their session.
  const childIn = (pidFile: string): string => `sleep 1000 & echo $! > ${pidFile}`;
  let pidFiles = 0;
  const newPidFile = (): string => join(folder.path, `child-${++pidFiles}`);

  describe.each(Object.keys(LAUNCHERS))('started by %s', (how) => {
    it('succeed a killed leader at once if it had started nothing', async () => {
      const { leader, elected, causes } = await launch(how, LONG_MS, '');
      process.kill(leader, 'SIGKILL');
      await eventually('another leads', () => elected().length === 2);
      expect(await causes()).toEqual([null, 'gone']);
    });

    it('succeed a killed leader only when its child has ended', async () => {
      const pidFile = newPidFile();
      const { leader, elected, causes } = await launch(how, LONG_MS, childIn(pidFile));
      const child = await eventually('the child works', () => pidIn(pidFile));
      process.kill(leader, 'SIGKILL');
      // Ten times the interval in which they look.
      await sleep(500);
      expect([readProcess(child)?.isLiving, elected()]).toEqual([true, [leader]]);
      process.kill(child, 'SIGKILL');
      await eventually('another leads', () => elected().length === 2);
      expect(await causes()).toEqual([null, 'gone']);
    });
  });

  it('wait no longer than for the end of the lease', async () => {
    const pidFile = newPidFile();
    const { leader, elected, causes } = await launch('one shell', 1_500, childIn(pidFile));
    await eventually('the child works', () => pidIn(pidFile));
    process.kill(leader, 'SIGKILL');
    await eventually('another leads', () => elected().length === 2);
    expect(await causes()).toEqual([null, 'expired']);
  });
});
