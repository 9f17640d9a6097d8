import { afterEach, describe, expect, it } from 'vitest';
import { type StartOptions, startProcess } from '../../../../test-kit/limits/child-process.ts';
import { hasProcessTable, readProcess } from '../../src/node/process-table.ts';
import { RunningProcess } from '../../src/node/running-process.ts';

const started: RunningProcess[] = [];
afterEach(() => Promise.all(started.splice(0).map((each) => each.kill())));

function start(command: string, args: readonly string[], stdio?: StartOptions<'pipe'>['stdio'] | string[]) {
  const running = new RunningProcess(startProcess(command, args, { stdio: stdio ?? 'pipe' }));
  started.push(running);
  return running;
}

const node = (code: string, stdio?: string[]) => start(process.execPath, ['-e', code], stdio);

describe('messages', () => {
  const CHANNEL = "process.on('message', ({ n }) => process.send({ n: n + 1 }, () => process.disconnect()))";
  const LINES =
    "require('node:readline').createInterface(process.stdin).on('line', (line) => console.log(JSON.stringify({ n: JSON.parse(line).n + 1 })))";

  it.each([
    ['over a channel', CHANNEL, ['ignore', 'ignore', 'pipe', 'ipc']],
    ['as lines', LINES, ['pipe', 'pipe', 'pipe']],
  ])('pass both ways %s, and none is lost at the end', async (_, code, stdio) => {
    const running = node(code, stdio);
    const received: unknown[] = [];
    running.onMessage((message) => received.push(message));
    running.send({ n: 1 });
    expect(await running.endInput(20_000)).toEqual({ code: 0, signal: null, reason: 'it ended with code 0' });
    expect(received).toEqual([{ n: 2 }]);
    running.send({ n: 3 });
  });
});

describe('the end', () => {
  it('has the exit code and the last line of the errors, of which the last part is kept', async () => {
    const running = node("console.error('x'.repeat(30_000)); console.error('no disk'); process.exitCode = 3");
    expect(await running.end).toEqual({ code: 3, signal: null, reason: 'it ended with code 3: no disk' });
    expect(running.errors).toHaveLength(20_000);
    expect(running.isRunning).toBe(false);
  });

  it('is reported of a program that cannot be started', async () => {
    const running = start('/no/such/program', []);
    const reason = 'spawn /no/such/program ENOENT';
    expect(await running.kill()).toEqual({ code: null, signal: null, reason });
    expect(running.pid).toBe(0);
  });

  it('comes at the limit if a process does not end with its input', async () => {
    expect(await start('sleep', ['1000']).endInput(100)).toMatchObject({ signal: 'SIGKILL' });
  });
});

it.skipIf(!hasProcessTable())(
  'a process stands still when its pause resolves, goes on, and dies while it is paused',
  async () => {
    const running = start('sleep', ['1000']);
    await running.pause();
    expect([running.isPaused, readProcess(running.pid)?.isStopped]).toEqual([true, true]);
    running.resume();
    await expect.poll(() => readProcess(running.pid)?.isStopped).toBe(false);
    await running.pause();
    expect(await running.kill()).toMatchObject({ signal: 'SIGKILL', reason: 'it ended with SIGKILL' });
    await running.pause();
  },
);
