import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { livingInSession, readProcess } from '../../src/lease/host/process-table.ts';
import { deadlineIn } from '../../src/supervisor/deadline.ts';
import { Guard } from '../../src/supervisor/guard.ts';
import { buildBefore, temporaryFolder } from '../cli/command.ts';
import { ROOT } from '../source/source-file.ts';
import { eventually } from './eventually.ts';

buildBefore();
const folder = temporaryFolder();
const GUARD = join(ROOT, 'dist/supervisor/guard-main.js');
const GUARD_PROCESS = pathToFileURL(join(ROOT, 'dist/supervisor/guard.js')).href;
const LONG_MS = 600_000;

/** Ignores SIGTERM, has forked, and one of them is in a process group of its own. Says that it is ready in a file. */
const stubborn = (ready: string) =>
  `trap '' TERM; sleep 1000 & set -m; sleep 1000 & set +m; sleep 1000 & echo up > ${ready}; wait; wait; wait`;

const guards: Guard[] = [];
const wrappers: ChildProcess[] = [];
afterAll(async () => {
  for (const wrapper of wrappers.splice(0)) wrapper.kill('SIGKILL');
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
  soft: deadlineIn(stopAfterMs),
  hard: deadlineIn(killAfterMs),
});
const living = (guard: Guard) => livingInSession(guard.leader.pid);
let files = 0;
const newFile = () => join(folder.path, `file-${++files}`);
const content = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

describe.concurrent('the guard', () => {
  it('tells how the command ended, and kills what it left behind', async () => {
    const guard = await startGuard();
    const end = await guard.run(shell('sleep 1000 & set -m; sleep 1000 & exit 7'));
    expect(end).toEqual({ kind: 'ended', code: 7, signal: null, asked: false });
    expect(living(guard)).toEqual([]);
  });

  it('tells which signal ended the command', async () => {
    const guard = await startGuard();
    expect(await guard.run(shell('kill -SEGV $$'))).toEqual({
      kind: 'ended',
      code: null,
      signal: 'SIGSEGV',
      asked: false,
    });
  });

  it('tells that there is no such command', async () => {
    const guard = await startGuard();
    const end = await guard.run({ ...shell(''), command: join(folder.path, 'absent') });
    expect(end).toEqual({ kind: 'failed', code: 'ENOENT' });
  });

  it('hands over the arguments as they are, the environment that it was told, and not its own channel', async () => {
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

  it('starts nothing when the lease is over before it hears of it', async () => {
    const guard = await startGuard();
    const file = newFile();
    expect(await guard.run(shell(`echo ran > ${file}`, -1, LONG_MS))).toEqual({
      kind: 'killed',
      at: 'deadline',
    });
    expect(content(file)).toBe('');
  });

  it('sends SIGTERM at the soft deadline', async () => {
    const guard = await startGuard();
    const ready = newFile();
    const end = guard.run(shell(`trap 'exit 3' TERM; echo up > ${ready}; while :; do sleep 0.05; done`));
    await eventually('the command runs', () => content(ready));
    guard.extend(deadlineIn(100), deadlineIn(LONG_MS));
    expect(await end).toEqual({ kind: 'ended', code: 3, signal: null, asked: true });
  });

  it('kills the whole session at the hard deadline, and not before', async () => {
    const guard = await startGuard();
    const ready = newFile();
    const end = guard.run(shell(stubborn(ready)));
    await eventually('the command runs', () => content(ready));
    const startMs = performance.now();
    guard.extend(deadlineIn(100), deadlineIn(1_000));
    expect(await end).toEqual({ kind: 'killed', at: 'deadline' });
    expect(performance.now() - startMs).toBeGreaterThan(990);
    expect(living(guard)).toEqual([]);
  });

  it('goes by the wall clock too, which runs on while the machine sleeps', async () => {
    const guard = await startGuard();
    const ready = newFile();
    const end = guard.run(shell(stubborn(ready)));
    await eventually('the command runs', () => content(ready));
    const { monoMs } = deadlineIn(LONG_MS);
    guard.extend(deadlineIn(LONG_MS), { monoMs, wallMs: Date.now() - 1 });
    expect(await end).toEqual({ kind: 'killed', at: 'deadline' });
  });

  it('stops the command when it is asked to, and kills it after the grace', async () => {
    const guard = await startGuard();
    const ready = newFile();
    const end = guard.run(shell(stubborn(ready)));
    await eventually('the command runs', () => content(ready));
    guard.stop(200);
    expect(await end).toEqual({ kind: 'killed', at: 'grace' });
    expect(living(guard)).toEqual([]);
  });

  it('outlives the signals that are meant for the command', async () => {
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

describe.concurrent('with the guard itself', () => {
  it('killed, the wrapper kills the whole session', async () => {
    const guard = await startGuard();
    const ready = newFile();
    const end = guard.run(shell(stubborn(ready)));
    await eventually('the command runs', () => content(ready));
    process.kill(guard.leader.pid, 'SIGKILL');
    expect(await end).toEqual({ kind: 'guard-lost' });
    expect(living(guard)).toEqual([]);
  });

  it('stopped, the wrapper kills at the last deadline that the guard has heard of', async () => {
    const guard = await startGuard();
    const ready = newFile();
    const end = guard.run(shell(stubborn(ready), 5_000, 6_000));
    await eventually('the command runs', () => content(ready));
    process.kill(guard.leader.pid, 'SIGSTOP');
    guard.extend(deadlineIn(LONG_MS), deadlineIn(LONG_MS));
    expect(await end).toEqual({ kind: 'killed', at: 'deadline' });
    expect(living(guard)).toEqual([]);
  });
});

describe.concurrent('with the wrapper', () => {
  /** Another process that has a guard, which has a stubborn command, for so long. */
  async function startWrapper(killAfterMs: number): Promise<{ wrapper: ChildProcess; session: number }> {
    const ready = newFile();
    const command = shell(stubborn(ready), killAfterMs, killAfterMs);
    const code = `
      const { Guard } = await import(${JSON.stringify(GUARD_PROCESS)});
      const guard = await Guard.start({ name: 'test', env: process.env });
      console.log(guard.leader.pid);
      guard.run({ ...${JSON.stringify({ ...command, env: {} })}, env: process.env });`;
    const wrapper = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    wrappers.push(wrapper);
    let text = '';
    wrapper.stdout.on('data', (data) => {
      text += data;
    });
    const session = Number(await eventually('the guard is there', () => /^\d+\n/.exec(text)?.[0]));
    await eventually('the command runs', () => content(ready));
    expect(livingInSession(session).length).toBe(5);
    return { wrapper, session };
  }

  it('killed, the guard kills the whole session', async () => {
    const { wrapper, session } = await startWrapper(LONG_MS);
    process.kill(wrapper.pid!, 'SIGKILL');
    await eventually('nothing runs', () => livingInSession(session).length === 0);
  });

  it('stopped, the guard kills the whole session at the deadline', async () => {
    const { wrapper, session } = await startWrapper(6_000);
    process.kill(wrapper.pid!, 'SIGSTOP');
    await eventually('nothing runs', () => livingInSession(session).length === 0);
    expect(readProcess(wrapper.pid!)?.isLiving).toBe(true);
  });
});
