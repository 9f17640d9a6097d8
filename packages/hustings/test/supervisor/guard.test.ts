import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../../../test/source/source-file.ts';
import { temporaryFolder } from '../../../../test-kit/command.ts';
import { eventually } from '../../../../test-kit/eventually.ts';
import { outputOf, startProcess } from '../../../../test-kit/limits/child-process.ts';
import { livingInSession, readProcess } from '../../../base/src/node/process-table.ts';
import { deadlineIn } from '../../src/supervisor/deadline.ts';
import { Guard } from '../../src/supervisor/guard.ts';

const folder = temporaryFolder();
const GUARD = join(ROOT, 'packages/hustings/dist/supervisor/guard-main.js');
const GUARD_HANDLE = pathToFileURL(join(ROOT, 'packages/hustings/dist/supervisor/guard.js')).href;
const LONG_MS = 600_000;

/** Ignores SIGTERM and forks three processes, one of them into its own process group. Writes a file when it is ready. */
const ignoringSigterm = (ready: string) =>
  `trap '' TERM; sleep 1000 & set -m; sleep 1000 & set +m; sleep 1000 & echo up > ${ready}; wait; wait; wait`;

const guards: Guard[] = [];
const supervisors: ChildProcess[] = [];
afterAll(async () => {
  for (const supervisor of supervisors.splice(0)) supervisor.kill('SIGKILL');
  for (const guard of guards.splice(0)) {
    guard.kill();
    await guard.end;
  }
});

async function startGuard(): Promise<Guard> {
  const guard = await Guard.start({ name: 'test', env: process.env, file: GUARD });
  guards.push(guard);
  return guard;
}

const shell = (script: string, stopAfterMs = LONG_MS, killAfterMs = LONG_MS) => ({
  command: 'bash',
  args: ['--norc', '-c', script],
  env: process.env,
  deadlineFile: null,
  stopAt: deadlineIn(stopAfterMs),
  killAt: deadlineIn(killAfterMs),
});
const living = (guard: Guard) => livingInSession(guard.leader.pid);
let files = 0;
const newFile = () => join(folder.path, `file-${++files}`);
const content = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

describe.concurrent('the guard', () => {
  it('reports the exit code of the command, and kills the processes that it left behind', async () => {
    const guard = await startGuard();
    const end = await guard.run(shell('sleep 1000 & set -m; sleep 1000 & exit 7'));
    expect(end).toEqual({ type: 'exited', code: 7, signal: null, wasStopped: false });
    expect(living(guard)).toEqual([]);
  });

  it('reports the signal that ended the command', async () => {
    const guard = await startGuard();
    expect(await guard.run(shell('kill -SEGV $$'))).toEqual({
      type: 'exited',
      code: null,
      signal: 'SIGSEGV',
      wasStopped: false,
    });
  });

  it('reports that the command does not exist', async () => {
    const guard = await startGuard();
    const end = await guard.run({ ...shell(''), command: join(folder.path, 'absent') });
    expect(end).toEqual({ type: 'failed', code: 'ENOENT' });
  });

  it('passes on the arguments unchanged and the given environment, but not its own channel', async () => {
    const guard = await startGuard();
    const file = newFile();
    const script = `printf '%s|' "$0" "$@" "$ONLY" > ${file}; ls -d /proc/$$/fd/[3-9] >> ${file}; :`;
    await guard.run({
      ...shell(''),
      args: ['--norc', '-c', script, '$HOME;`id`', 'a b', ''],
      env: { ONLY: 'this', PATH: process.env.PATH },
    });
    expect(content(file)).toBe('$HOME;`id`|a b||this|');
  });

  it('starts nothing when the deadline has passed before the message arrives', async () => {
    const guard = await startGuard();
    const file = newFile();
    expect(await guard.run(shell(`echo ran > ${file}`, -1, LONG_MS))).toEqual({
      type: 'killed',
      at: 'deadline',
    });
    expect(content(file)).toBe('');
  });

  it('sends SIGTERM at stopAt', async () => {
    const guard = await startGuard();
    const ready = newFile();
    const end = guard.run(shell(`trap 'exit 3' TERM; echo up > ${ready}; while :; do sleep 0.05; done`));
    await eventually('the command runs', () => content(ready));
    guard.extend({ stopAt: deadlineIn(100), killAt: deadlineIn(LONG_MS) });
    expect(await end).toEqual({ type: 'exited', code: 3, signal: null, wasStopped: true });
  });

  it('kills the whole session at killAt, and not before', async () => {
    const guard = await startGuard();
    const ready = newFile();
    const end = guard.run(shell(ignoringSigterm(ready)));
    await eventually('the command runs', () => content(ready));
    const startMs = performance.now();
    guard.extend({ stopAt: deadlineIn(100), killAt: deadlineIn(1_000) });
    expect(await end).toEqual({ type: 'killed', at: 'deadline' });
    expect(performance.now() - startMs).toBeGreaterThan(990);
    expect(living(guard)).toEqual([]);
  });

  it('kills by the wall clock too, which continues while the machine sleeps', async () => {
    const guard = await startGuard();
    const ready = newFile();
    const end = guard.run(shell(ignoringSigterm(ready)));
    await eventually('the command runs', () => content(ready));
    const { monoMs } = deadlineIn(LONG_MS);
    guard.extend({ stopAt: deadlineIn(LONG_MS), killAt: { monoMs, wallMs: Date.now() - 1 } });
    expect(await end).toEqual({ type: 'killed', at: 'deadline' });
  });

  it('on stop sends SIGTERM, and kills after the grace period', async () => {
    const guard = await startGuard();
    const ready = newFile();
    const end = guard.run(shell(ignoringSigterm(ready)));
    await eventually('the command runs', () => content(ready));
    guard.stop(200);
    expect(await end).toEqual({ type: 'killed', at: 'grace' });
    expect(living(guard)).toEqual([]);
  });

  it('survives the signals that are meant for the command', async () => {
    const guard = await startGuard();
    const file = newFile();
    const script = `for s in HUP INT QUIT USR1 USR2; do trap "echo $s >> ${file}" $s; done; echo up >> ${file}; while :; do sleep 0.02; done`;
    const end = guard.run(shell(script));
    await eventually('the command runs', () => content(file));
    for (const name of ['HUP', 'INT', 'QUIT', 'USR1', 'USR2']) {
      guard.signal(`SIG${name}` as NodeJS.Signals);
      await eventually(`the command gets ${name}`, () => content(file).includes(name));
    }
    guard.kill();
    await end;
  });
});

describe.concurrent('when the guard is', () => {
  it('killed, the supervisor kills the whole session', async () => {
    const guard = await startGuard();
    const ready = newFile();
    const end = guard.run(shell(ignoringSigterm(ready)));
    await eventually('the command runs', () => content(ready));
    process.kill(guard.leader.pid, 'SIGKILL');
    expect(await end).toEqual({ type: 'guard-lost' });
    expect(living(guard)).toEqual([]);
  });

  it('suspended, the supervisor kills at the last deadline that the guard has acknowledged', async () => {
    const guard = await startGuard();
    const ready = newFile();
    const end = guard.run(shell(ignoringSigterm(ready), 5_000, 6_000));
    await eventually('the command runs', () => content(ready));
    process.kill(guard.leader.pid, 'SIGSTOP');
    guard.extend({ stopAt: deadlineIn(LONG_MS), killAt: deadlineIn(LONG_MS) });
    expect(await end).toEqual({ type: 'killed', at: 'deadline' });
    expect(living(guard)).toEqual([]);
  });
});

describe.concurrent('when the supervisor is', () => {
  /** Another process that has a guard, which has a command that ignores SIGTERM, until a deadline. */
  async function startSupervisor(
    killAfterMs: number,
  ): Promise<{ supervisor: ChildProcess; session: number }> {
    const ready = newFile();
    const command = shell(ignoringSigterm(ready), killAfterMs, killAfterMs);
    const code = `
      const { Guard } = await import(${JSON.stringify(GUARD_HANDLE)});
      const guard = await Guard.start({ name: 'test', env: process.env });
      console.log(guard.leader.pid);
      guard.run({ ...${JSON.stringify({ ...command, env: {} })}, env: process.env });`;
    const supervisor = startProcess(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    supervisors.push(supervisor);
    const output = outputOf(supervisor);
    const isThere = () => /^\d+\n/.exec(output.stdout)?.[0];
    const session = Number(await eventually('the guard is there', isThere));
    await eventually('the command runs', () => content(ready));
    expect(livingInSession(session).length).toBe(5);
    return { supervisor, session };
  }

  it('killed, the guard kills the whole session', async () => {
    const { supervisor, session } = await startSupervisor(LONG_MS);
    process.kill(supervisor.pid!, 'SIGKILL');
    await eventually('nothing runs', () => livingInSession(session).length === 0);
  });

  it('suspended, the guard kills the whole session at the deadline', async () => {
    const { supervisor, session } = await startSupervisor(6_000);
    process.kill(supervisor.pid!, 'SIGSTOP');
    await eventually('nothing runs', () => livingInSession(session).length === 0);
    expect(readProcess(supervisor.pid!)?.isLiving).toBe(true);
  });
});
