import type { ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../../../test/source/source-file.ts';
import { temporaryFolder } from '../../../../test-kit/command.ts';
import { eventually } from '../../../../test-kit/eventually.ts';
import { runProcess, startProcess } from '../../../../test-kit/limits/child-process.ts';
import { missing, programPath } from '../../../../test-kit/programs/programs.ts';
import { readKit } from './kit-files.ts';

const dockerfile = readKit('docker/Dockerfile');
const stages = dockerfile.split(/^FROM /m).slice(1);
const last = stages.at(-1)!;
const ENTRYPOINT: readonly string[] = JSON.parse(/^ENTRYPOINT (\[.*\])$/m.exec(last)?.[1] ?? '[]');

describe('the Dockerfile', () => {
  it('runs as a user that is not root, by number, and in the exec form, without a shell', () => {
    expect(last).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
    expect(ENTRYPOINT).toEqual(['tini', '--', 'hustings']);
    expect(JSON.parse(/^CMD (\[.*\])$/m.exec(last)![1])).toEqual(['--help']);
    expect(last.indexOf('USER ')).toBeLessThan(last.indexOf('ENTRYPOINT '));
  });

  it('has a Node that the package supports, with a built-in SQLite, in both stages', () => {
    const versions = stages.map((stage) => Number(/^node:(\d+)-bookworm-slim/.exec(stage)?.[1]));
    expect(new Set(versions).size).toBe(1);
    expect(versions[0]).toBeGreaterThanOrEqual(22);
  });
});

describe('the package in the build context', () => {
  const folder = temporaryFolder();
  const run = /^RUN ((?:.*\\\n)*.*npm install.*)$/m.exec(stages[0])![1];

  /** Runs the step with files of these names in place of those that COPY brings, and an npm that prints its arguments. */
  function install(name: string, ...packages: string[]) {
    const context = join(folder.path, name);
    mkdirSync(context);
    for (const each of packages) writeFileSync(join(context, each), '');
    const npm = 'npm() { echo "npm $*"; }\n';
    const script = npm + run.replaceAll('/tmp/', `${context}/`);
    const { status, stdout, stderr } = runProcess('sh', ['-c', script], {
      env: { ...process.env, CLIENTS: 'ioredis pg' },
    });
    return { status, stdout: stdout.replaceAll(`${context}/`, ''), stderr };
  }

  it('and its base are installed with the client libraries', () => {
    const { status, stdout } = install('right', 'hustings-1.0.0.tgz', 'hustings-base-1.0.0.tgz');
    const packages = 'hustings-1.0.0.tgz hustings-base-1.0.0.tgz';
    expect([status, stdout]).toEqual([0, `npm install --no-fund --no-audit ${packages} ioredis pg\n`]);
  });

  it.each([['hustings-1.0.0.tgz'], ['hustings-0.9.0.tgz', 'hustings-1.0.0.tgz', 'hustings-base-1.0.0.tgz']])(
    'are refused unless they are two, with both remedies: %s',
    (...packages) => {
      const { status, stdout, stderr } = install(`${packages.length}`, ...packages);
      expect([status, stdout]).toEqual([1, '']);
      expect(stderr).toBe(
        `the build context has ${packages.length} packages instead of two, hustings and its base; remove others, or choose a version with --build-arg VERSION='*VERSION'\n`,
      );
      expect(stages[0]).toMatch(/^ARG VERSION=\*$/m);
      expect(stages[0]).toMatch(/^COPY hustings-\$\{VERSION\}\.tgz \/tmp\/$/m);
    },
  );

  it('is all that the build sends: no node_modules, no .git', () => {
    const lines = readKit('docker/Dockerfile.dockerignore').split('\n');
    expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual(['*', '!hustings-*.tgz']);
  });
});

/**
 * Leaves two orphans behind: one in a session of its own, and one in that of the command. Both end soon, and PID 1 is their
 * parent. Then prints how many zombies there are.
 */
const COMMAND = `
trap 'echo stopped; exit 3' TERM
setsid sh -c 'sleep 0.2 & exit 0'
(sh -c 'sleep 0.3' &)
sleep 1
cat /proc/1/comm
while :; do
  zombies=0
  for stat in /proc/[0-9]*/stat; do
    case $(cat $stat 2>/dev/null) in *") Z "*) zombies=$((zombies + 1)) ;; esac
  done
  echo "zombies: $zombies"
  sleep 0.1
done
`;

const isRoot = process.getuid?.() === 0;
const reason = isRoot ? await missing('tini') : 'a new PID namespace needs root';

describe.skipIf(reason !== undefined || programPath('unshare') === undefined)(
  `the entry point as PID 1 of a namespace${reason === undefined ? '' : ` (${reason})`}`,
  () => {
    const folder = temporaryFolder();
    const started: ChildProcess[] = [];
    afterAll(() => {
      for (const child of started) child.kill('SIGKILL');
    });

    /** As in a container: the process of the entry point is PID 1. */
    async function start(name: string, entry: readonly string[]) {
      const bin = join(folder.path, 'bin');
      mkdirSync(bin, { recursive: true });
      const shim = join(bin, 'hustings');
      writeFileSync(
        shim,
        `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'packages/hustings/dist/cli/main.js')}" "$@"\n`,
      );
      chmodSync(shim, 0o755);
      const store = `sqlite:${join(folder.path, `${name}.db`)}`;
      const lead = ['lead', name, '--store', store, '--grace', '10s', '--', 'sh', '-c', COMMAND];
      const options = ['--pid', '--fork', '--kill-child', '--mount-proc'];
      const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
      const child = startProcess('unshare', [...options, ...entry, ...lead], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      started.push(child);
      let printed = '';
      for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (data) => (printed += data));
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
      const says = (what: RegExp) => eventually(`${what}\n${printed}`, () => what.exec(printed));
      await says(/zombies: \d/);
      const [first] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ');
      return { init: Number(first), says, ended, printed: () => printed };
    }

    it('passes SIGTERM on to the command, exits with its code, and reaps orphans', async () => {
      const { init, says, ended, printed } = await start('with-tini', ENTRYPOINT);
      await says(/^tini$/m);
      await says(/zombies: 0/);
      process.kill(init, 'SIGTERM');
      expect(await ended, printed()).toBe(3);
      expect(printed()).toMatch(/^stopped$/m);
      expect(printed()).toMatch(/ended: released/);
    });

    it('would leave zombies without tini, which this test sees', async () => {
      const { init, says, ended, printed } = await start('without-tini', ['hustings']);
      await says(/zombies: [1-9]/);
      process.kill(init, 'SIGTERM');
      expect(await ended, printed()).toBe(3);
    });
  },
);
