import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { startProcess } from '../../../../test-kit/limits/child-process.ts';
import { until } from '../../../../test-kit/until.ts';
import { RunningProcess } from '../../../base/src/node/running-process.ts';

const SCRIPT = fileURLToPath(new URL('./socket-node.mjs', import.meta.url));
const LIMIT_MS = 15_000;

const children: RunningProcess[] = [];

/** Every process that a test has begun is gone when the test is over. */
afterEach(() => Promise.all(children.splice(0).map((child) => child.kill())));

interface Process {
  /** The next report that it prints. */
  report(): Promise<Record<string, unknown>>;
  /** Asks it to stop; its exit code and what it complained of. */
  end(): Promise<{ code: number | null; errorText: string }>;
}

function startNode(...args: readonly string[]): Process {
  const child = new RunningProcess(startProcess(process.execPath, [SCRIPT, ...args], { limitMs: LIMIT_MS }));
  children.push(child);
  const reports: Record<string, unknown>[] = [];
  child.onMessage((report: Record<string, unknown>) => reports.push(report));
  return {
    async report() {
      await until(() => reports.length > 0 || !child.isRunning);
      const report = reports.shift();
      if (report === undefined) throw new Error(`the node ended without a report: ${child.errors}`);
      return report;
    },
    end: async () => ({ code: (await child.endInput(LIMIT_MS)).code, errorText: child.errors }),
  };
}

test.each([
  ['3,8', { decided: 'a follower of 8' }, { decided: 'the leader' }],
  ['8,3', { decided: 'the leader' }, { decided: 'a follower of 8' }],
])('two processes with the ids %s elect one leader over a socket', async (ids, first, second) => {
  const listening = startNode('0', ids);
  const { port } = await listening.report();
  const connecting = startNode('1', ids, String(port));
  expect(await Promise.all([listening.report(), connecting.report()])).toEqual([first, second]);
  const ends = await Promise.all([listening.end(), connecting.end()]);
  expect(ends).toEqual([
    { code: 0, errorText: '' },
    { code: 0, errorText: '' },
  ]);
  await expect(once(connect(Number(port), '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED');
});

describe('a line from the wire that is no message of the election is refused', () => {
  test.each([
    ['no JSON', 'token 3', /^refused: .*JSON.*\n$/],
    ['no object', '3', "refused: 'undefined' is not a message of this algorithm: it has token, elected\n"],
    [
      'of an unknown type',
      '{"type":"coup"}',
      "refused: 'coup' is not a message of this algorithm: it has token, elected\n",
    ],
    [
      'without its field',
      '{"type":"token"}',
      "refused: 'id' takes a whole number from -1 to 8, not undefined\n",
    ],
    [
      'with an id that nobody has',
      '{"type":"token","id":9}',
      "refused: 'id' takes a whole number from -1 to 8, not 9\n",
    ],
    [
      'with a text for a number',
      '{"type":"elected","id":"8"}',
      "refused: 'id' takes a whole number from -1 to 8, not '8'\n",
    ],
    ['without end', 'x'.repeat(2000), 'refused: a line of more than 1000 characters\n'],
  ])('%s', async (_, line, expected) => {
    const node = startNode('0', '3,8');
    const { port } = await node.report();
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {}); // it hangs up on us
    socket.write(line.length > 1000 ? line : `${line}\n`);
    await once(socket.resume(), 'close');
    const { code, errorText } = await node.end();
    expect(code).toBe(1);
    expect(errorText).toMatch(expected);
  });
});
