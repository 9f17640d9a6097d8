import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setup } from '../../../scripts/setup.mjs';
import { actionOf, frameOf } from '../../../src/cli/cluster/cluster-screen.ts';
import type { NodeLine } from '../../../src/cli/cluster/node-line.ts';
import { plain } from '../../../src/cli/terminal.ts';
import { hustings, MAIN } from '../command.ts';

const LIMIT = { timeout: 50_000 };
const folder = mkdtempSync(join(tmpdir(), 'hustings-cli-'));
const parents = new Set<ChildProcess>();
beforeAll(() => setup({ mayInstall: false }));
afterAll(() => {
  for (const parent of parents) parent.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A cluster of real processes in a temporary folder of its own, and the lines that it has printed. */
function start(...args: readonly string[]) {
  const home = mkdtempSync(join(folder, 'run-'));
  const parent = spawn(process.execPath, [MAIN, 'cluster', '--events', ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, TMPDIR: home },
  });
  parents.add(parent);
  const lines: NodeLine[] = [];
  createInterface({ input: parent.stdout }).on('line', (text) => lines.push(JSON.parse(text)));
  const latest = (): Map<number, NodeLine> => new Map(lines.map((line) => [line.node, line]));
  return {
    parent,
    home,
    lines,
    latest,
    tell: (text: string) => parent.stdin.write(`${text}\n`),
    /** The members of the latest agreement after the first `from` lines, and their leader. */
    agreed: (from = 0) => {
      const line = lines.slice(from).findLast(({ type }) => type === 'agreed');
      return line === undefined ? null : { leader: line.leader, members: line.members };
    },
    pids: () => lines.flatMap(({ pid, type }) => (type === 'up' ? [pid] : [])),
    async end() {
      const exit = once(parent, 'exit');
      parent.kill('SIGTERM');
      await exit;
      parents.delete(parent);
    },
  };
}

/** A zombie has ended. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !existsSync('/proc/self/stat') || !/\) Z /.test(statOf(pid));
}

function statOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return ') Z ';
  }
}

/** Of those without crashes, test/cluster/wire elects over TCP in every run. */
const ALGORITHMS = ['bully', 'raft', ...(process.env.HUSTINGS_LONG === '1' ? ['chang-roberts'] : [])];

describe.skipIf(process.platform === 'win32')('real processes', () => {
  it.each(ALGORITHMS)(
    '%s: elect, elect again after a kill of the leader, and take it back',
    async (algorithm) => {
      const cluster = start('--nodes', '3', '--algorithm', algorithm);
      await expect.poll(cluster.agreed, LIMIT).toMatchObject({ members: [1, 2, 3] });
      const first = cluster.agreed()?.leader as number;
      const pid = cluster.latest().get(first)?.pid as number;
      process.kill(pid, 'SIGKILL');
      const others = [1, 2, 3].filter((id) => id !== first);
      await expect.poll(cluster.agreed, LIMIT).toMatchObject({ members: others });
      const from = cluster.lines.length;
      cluster.tell(`restart ${first}`);
      await expect.poll(() => cluster.agreed(from), LIMIT).toMatchObject({ members: [1, 2, 3] });
      await cluster.end();
      await expect.poll(() => cluster.pids().filter(isAlive)).toEqual([]);
      expect(cluster.pids()).toHaveLength(4);
    },
  );

  it('with a quorum: two of five have no leader while three are stopped, and one again after they continue', async () => {
    const cluster = start('--nodes', '5', '--algorithm', 'bully', '--quorum', '--lease', '1s');
    await expect.poll(cluster.agreed, LIMIT).toEqual({ leader: 5, members: [1, 2, 3, 4, 5] });
    for (const id of [3, 4, 5]) cluster.tell(`pause ${id}`);
    const elected = (id: number): unknown => cluster.latest().get(id)?.elected;
    // The algorithm elects 2, which has no majority.
    await expect.poll(() => [elected(1), elected(2)], LIMIT).toEqual([2, 2]);
    await expect
      .poll(() => [1, 2].map((id) => cluster.latest().get(id)?.leader), LIMIT)
      .toEqual([null, null]);
    expect(cluster.lines.filter(({ leader, node }) => leader === 2 && node <= 2)).toEqual([]);
    const from = cluster.lines.length;
    for (const id of [3, 4, 5]) cluster.tell(`pause ${id}`);
    await expect.poll(() => cluster.agreed(from), LIMIT).toMatchObject({ members: [1, 2, 3, 4, 5] });
    await cluster.end();
  });

  it('a cut off member is agreed without; the parent killed leaves no process and no folder, paused ones included', async () => {
    const cluster = start('--nodes', '3', '--algorithm', 'bully');
    await expect.poll(cluster.agreed, LIMIT).toEqual({ leader: 3, members: [1, 2, 3] });
    cluster.tell('cut 3');
    await expect.poll(cluster.agreed, LIMIT).toEqual({ leader: 2, members: [1, 2] });
    // Without a quorum the other side has its own leader: split brain.
    expect(cluster.latest().get(3)).toMatchObject({ leader: 3 });
    cluster.tell('pause 1');
    await expect.poll(() => cluster.lines.some(({ type }) => type === 'pause')).toBe(true);
    cluster.parent.kill('SIGKILL');
    await expect.poll(() => cluster.pids().filter(isAlive), LIMIT).toEqual([]);
    await expect.poll(() => readdirSync(cluster.home), LIMIT).toEqual([]);
  });
});

it('init writes the files of a cluster once', () => {
  const first = hustings(['cluster', 'init', '--nodes', '2', '--token-from', '7'], folder);
  expect(first).toMatchObject({ status: 0, stdout: expect.stringContaining('cluster/members.json') });
  expect(JSON.parse(readFileSync(join(folder, 'cluster/members.json'), 'utf8'))).toMatchObject({
    cluster: 'demo',
    members: [{ id: 1 }, { id: 2, address: '127.0.0.1:7002', http: '127.0.0.1:17002' }],
  });
  expect(hustings(['cluster', 'init'], folder)).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/exists already; remove it/),
  });
});

it('an algorithm that cannot run between processes is refused with one line', () => {
  const { status, stderr } = hustings([
    'cluster',
    '--nodes',
    '3',
    '--algorithm',
    'flood-max-rounds',
    '--once',
  ]);
  expect([status, stderr]).toEqual([3, expect.stringMatching(/cannot start: .* assumes synchronous rounds/)]);
});

it.each([
  ['raft', 'raft needs a majority itself'],
  ['itai-rodeh', 'members of itai-rodeh have no ids, so nobody knows whom to support'],
])('%s with --quorum is refused with one line', (algorithm, why) => {
  const { status, stderr } = hustings(['cluster', '--algorithm', algorithm, '--quorum', '--once']);
  expect([status, stderr]).toEqual([2, `hustings: --quorum must be left out: ${why}\n`]);
});

it('keys choose a member and act on it, and the view shows who leads', () => {
  expect(actionOf('3', 1, 5)).toEqual({ type: 'choose', id: 3 });
  expect(actionOf('6', 1, 5)).toBeNull();
  expect(actionOf('\u001b[B', 5, 5)).toEqual({ type: 'choose', id: 5 });
  expect(['k', 'p', 'r', 'c', 'q', '\u0003'].map((key) => actionOf(key, 1, 5)?.type)).toEqual([
    'kill',
    'pause',
    'restart',
    'cut',
    'quit',
    'quit',
  ]);
  const line = {
    type: 'status',
    at: 0,
    node: 2,
    pid: 42,
    leader: 2,
    epoch: 7,
    token: 8,
    leads: true,
    sent: 3,
  };
  const frame = frameOf(
    { name: 'bully', lab: 'hustings lab --cluster members.json' },
    [
      { id: 1, state: 'down', line: { ...line, leads: true }, changedAt: 0 },
      { id: 2, state: 'up', line, changedAt: 1_000 },
    ],
    2,
    3_000,
    plain,
  );
  expect(frame.filter((text) => text.includes('★'))).toHaveLength(1);
  expect(frame.at(-1)).toBe('in the browser: hustings lab --cluster members.json');
  expect(frame[4]).toMatch(/^> ★ 2 +42 +up +2 +7 +8 +3 +– +2 s ago/);
});
