import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { runProcess, runToSuccess, startProcess } from './child-process.ts';
import { processesOfRun, RUN_MARK } from './process-tree.ts';

// It ignores SIGTERM, and so does its child.
const STUBBORN = 'trap "" TERM; echo working; sleep 987654 & while :; do wait; done';
const marked = (name: string): [string, NodeJS.ProcessEnv] => {
  const mark = `${name}-${process.pid}`;
  return [mark, { ...process.env, [RUN_MARK]: mark }];
};

describe('a process that a test waits for', () => {
  it('is killed at its limit with all that it has started, and the error shows its last output', async () => {
    const [mark, env] = marked('run');
    expect(() => runProcess('sh', ['-c', STUBBORN], { limitMs: 300, env })).toThrow(
      /^sh -c trap .* was still running after 300 ms and was killed; its last output:\nworking$/s,
    );
    await expect.poll(() => processesOfRun(mark)).toEqual([]);
  });

  it('returns its status and output', () => {
    const { status, stdout, stderr } = runProcess('sh', ['-c', 'echo out; echo err >&2; exit 3']);
    expect({ status, stdout, stderr }).toEqual({ status: 3, stdout: 'out\n', stderr: 'err\n' });
  });

  it('must succeed where the test says so', () => {
    expect(() => runToSuccess('sh', ['-c', 'echo no luck; exit 3'])).toThrow(
      'sh -c echo no luck; exit 3 ended with 3: no luck',
    );
    expect(() => runToSuccess('no-such-program', [])).toThrow('no-such-program ended with no status');
  });
});

describe('a process that runs beside a test', () => {
  it.each([false, true])(
    'is killed at its limit with all that it has started, detached: %s',
    async (detached) => {
      const [mark, env] = marked(`start-${detached}`);
      const child = startProcess('sh', ['-c', STUBBORN], { limitMs: 300, detached, env });
      const [, signal] = await once(child, 'exit');
      expect(signal).toBe('SIGKILL');
      await expect.poll(() => processesOfRun(mark)).toEqual([]);
    },
  );
});
