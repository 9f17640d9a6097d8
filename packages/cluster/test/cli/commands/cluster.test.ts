import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it, onTestFailed } from 'vitest';
import { hustings, MAIN } from '../../../../../test-kit/command.ts';
import { startProcess } from '../../../../../test-kit/limits/child-process.ts';
import { effort } from '../../../../../test-kit/limits/effort.ts';
import { plain } from '../../../../base/src/command/terminal.ts';
import { hasProcessTable, readProcess } from '../../../../base/src/node/process-table.ts';
import { actionOf, frameOf, keysOf, press } from '../../../src/cli/cluster-screen.ts';
import { refusal } from '../../../src/cli/local-cluster.ts';
import type { NodeLine } from '../../../src/cli/node-line.ts';

const LIMIT = { timeout: 50_000 };
/** Lines of a cluster that a failure shows. */
const MAX_SHOWN = 100;
const folder = mkdtempSync(join(tmpdir(), 'hustings-cli-'));
const parents = new Set<ChildProcess>();
afterAll(() => {
  for (const parent of parents) parent.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A cluster of real processes in a temporary folder of its own, and the lines that it has printed. */
function start(...args: readonly string[]) {
  const home = mkdtempSync(join(folder, 'run-'));
  const parent = startProcess(process.execPath, [MAIN, 'cluster', '--events', ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, TMPDIR: home },
  });
  parents.add(parent);
  const lines: NodeLine[] = [];
  createInterface({ input: parent.stdout }).on('line', (text) => lines.push(JSON.parse(text)));
  onTestFailed(() => {
    const ended = parent.exitCode === null ? 'runs' : `has ended with ${parent.exitCode}`;
    const texts = lines.slice(-MAX_SHOWN).map((line) => JSON.stringify(line));
    process.stderr.write(
      `hustings cluster ${args.join(' ')} ${ended}; its last lines:\n${texts.join('\n')}\n`,
    );
  });
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
  return readProcess(pid)?.isLiving ?? !hasProcessTable();
}

/** packages/cluster/test/wire runs the algorithms without crashes over TCP in every run. */
const ALGORITHMS = ['bully', 'raft', ...effort({ quick: [], full: ['chang-roberts'] })];

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
    for (const command of ['kill 9', 'foo', 'kill', ' ', 'restart  1']) cluster.tell(command);
    const errors = () => cluster.lines.filter(({ type }) => type === 'error');
    await expect.poll(() => errors().length, LIMIT).toBe(4);
    const commands = '; the commands are kill N, pause N, restart N, cut N and quit';
    expect(errors().map(({ node, text }) => `${node}: ${text}`)).toEqual([
      `0: there is no member 9, only 1 to 3${commands}`,
      `0: 'foo' is not a command${commands}`,
      `0: 'kill' is not a command${commands}`,
      `1: member 1 is up, and restart needs one that has ended (kill it, and wait for its line of type exit)${commands}`,
    ]);
    cluster.tell('pause 1');
    await expect.poll(() => cluster.lines.some(({ type }) => type === 'pause')).toBe(true);
    cluster.parent.kill('SIGKILL');
    await expect.poll(() => cluster.pids().filter(isAlive), LIMIT).toEqual([]);
    await expect.poll(() => readdirSync(cluster.home), LIMIT).toEqual([]);
  });
});

it('an anonymous election that has elected ends --once with 0: the others know that they are not the leader', () => {
  const args = ['cluster', '--nodes', '3', '--algorithm', 'itai-rodeh', '--once'];
  const { status, stdout } = hustings(args, folder);
  expect(stdout).toMatch(/^all members that are up agree: \d leads$/m);
  expect(stdout.match(/^member \d is not the leader$/gm)?.length).toBeGreaterThanOrEqual(2);
  expect(status).toBe(0);
}, 90_000);

it('a folder for temporary files that cannot be used is one line', () => {
  const args = ['cluster', '--nodes', '1', '--algorithm', 'bully', '--once'];
  const { status, stderr } = hustings(args, folder, { TMPDIR: '/nowhere' });
  expect(status).toBe(3);
  expect(stderr).toMatch(
    /hustings: the members need a folder in \/nowhere, .*; set TMPDIR to another one\n$/,
  );
});

it('init writes the files of a cluster once', () => {
  const first = hustings(['cluster', 'init', '--nodes', '2', '--token-from', '7'], folder);
  const [wrote] = first.stdout.split('\n');
  expect([first.status, wrote]).toEqual([
    0,
    'wrote cluster/members.json, cluster/secret, cluster/member-1 to cluster/member-2',
  ]);
  expect(JSON.parse(readFileSync(join(folder, 'cluster/members.json'), 'utf8'))).toMatchObject({
    cluster: 'demo',
    members: [{ id: 1 }, { id: 2, address: '127.0.0.1:7002', http: '127.0.0.1:17002' }],
  });
  expect(hustings(['cluster', 'init'], folder)).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/exists already; remove it/),
  });
});

it.each([
  ['a secret', 'plain', [], '--secret-file plain/secret'],
  ['certificates', 'certified', ['--certificates'], '--tls certified/tls'],
])('init with %s prints the line that uses them', (_, dir, options, security) => {
  const { stdout } = hustings(['cluster', 'init', '--nodes', '1', '--dir', dir, ...options], folder);
  expect(stdout.split('\n')[1]).toBe(
    `next, for each id: hustings node --members ${dir}/members.json ${security} --id 1 --algorithm raft`,
  );
});

it('init names all that it has written, also as JSON', () => {
  const args = ['cluster', 'init', '--nodes', '2', '--dir', 'new', '--json'];
  const { status, stdout } = hustings([...args, '--token-from', '7'], folder);
  const { version, written } = JSON.parse(stdout);
  expect([status, version]).toEqual([0, 1]);
  expect(written.map((path: string) => path.slice('new/'.length)).sort()).toEqual(
    readdirSync(join(folder, 'new')).sort(),
  );
});

it('keys choose a member and act on it', () => {
  expect(actionOf('3', 1, 5)).toEqual({ type: 'choose', id: 3 });
  expect(actionOf('6', 1, 5)).toBeNull();
  expect(keysOf('2k\u001b[Bp\u001b[A\u001b[A')).toEqual(['2', 'k', '\u001b[B', 'p', '\u001b[A', '\u001b[A']);
  expect(actionOf('\u001b[B', 5, 5)).toEqual({ type: 'choose', id: 5 });
  expect(['k', 'p', 'r', 'c', 'q', '\u0003'].map((key) => actionOf(key, 1, 5)?.type)).toEqual([
    'kill',
    'pause',
    'restart',
    'cut',
    'quit',
    'quit',
  ]);
});

it('pause and cut need a member that runs, restart one that has ended', () => {
  expect(refusal('pause', { id: 1, state: 'down' })).toBe('member 1 is down, and pause needs one that runs');
  expect(refusal('cut', { id: 1, state: 'down' })).toBe('member 1 is down, and cut needs one that runs');
  expect(refusal('restart', { id: 1, state: 'up' })).toBe(
    'member 1 is up, and restart needs one that has ended',
  );
  expect(refusal('cut', { id: 1, state: 'paused' })).toBeNull();
});

it('keys that are refused leave the reason, until the next key', () => {
  const members = { nodes: 3, act: (type: string, id: number) => (id === 2 ? `no ${type}` : null) };
  expect(press('2p', 1, members)).toEqual({ chosen: 2, note: 'no pause', isEnd: false });
  expect(press('3', 2, members)).toEqual({ chosen: 3, note: '', isEnd: false });
  expect(press('cq', 3, members)).toEqual({ chosen: 3, note: '', isEnd: true });
});

const LINE = { type: 'status', at: 0, node: 2, pid: 4194304, leader: 2, epoch: 7, token: 8, leads: true };
const LAB = 'hustings lab --cluster /tmp/hustings-cluster-AbCdEf/members.json';

/** A frame of this many members, of which 2 leads; the first one is down. */
function frame(nodes: number, chosen: number, columns: number, rows: number, note = '') {
  const members = Array.from({ length: nodes }, (_, place) => ({
    id: place + 1,
    state: place === 0 ? ('down' as const) : ('up' as const),
    line: { ...LINE, leads: place < 2, sent: 3 },
    changedAt: 1_000,
  }));
  return frameOf({ name: 'bully', lab: LAB, note }, members, chosen, 3_000, plain, { columns, rows });
}

describe('the view', () => {
  it('shows who leads, and the command for the lab', () => {
    const { height, lines } = frame(2, 2, 120, 24);
    expect(lines.filter((text) => text.includes('★'))).toHaveLength(1);
    expect(lines.at(-1)).toBe(`in the browser: ${LAB}`);
    expect(lines[4]).toMatch(/^> ★ 2 +4194304 +up +2 +7 +8 +3 +– +2 s ago$/);
    expect(height).toBe(lines.length);
  });

  it('shows no leader that is paused: what it said last may be wrong by now', () => {
    const member = { id: 1, state: 'paused', line: { ...LINE, leads: true, sent: 3 }, changedAt: 0 } as const;
    const texts = { name: 'raft', lab: LAB, note: '' };
    const { lines } = frameOf(texts, [member], 1, 0, plain, { columns: 120, rows: 24 });
    expect(lines.join()).not.toContain('★');
    expect(
      frameOf(texts, [{ ...member, state: 'up' }], 1, 0, plain, { columns: 120, rows: 24 }).lines.join(),
    ).toContain('★');
  });

  it('shows below the members why a key was refused', () => {
    expect(frame(2, 1, 120, 24, 'no').lines[5]).toBe('no');
    expect(frame(2, 1, 20, 24, 'a long reason for this terminal').lines).toContain('a long reason for t…');
  });

  it.each([
    [120, 'member  pid     state    leader epoch token sent   received last change'],
    [80, 'member  pid     state    leader epoch token sent   received last change'],
    [60, 'member  pid     state    leader epoch token last change'],
    [40, 'member  state    leader epoch token'],
    [20, 'member  state'],
    [10, 'member  s…'],
  ])('has the most important columns where %i characters fit', (columns, titles) => {
    expect(frame(5, 1, columns, 24).lines[2]).toBe(titles);
  });

  it('is never larger than the terminal, and shows the chosen member', () => {
    for (const columns of [1, 2, 10, 20, 40, 60, 80, 120]) {
      for (const rows of [1, 2, 3, 5, 8, 13, 24, 60]) {
        for (const chosen of [1, 17, 50]) {
          const { height, lines } = frame(50, chosen, columns, rows, chosen === 17 ? 'refused' : '');
          const wraps = lines.map((text) => Math.ceil(Math.max(1, text.length) / columns));
          expect(height).toBe(wraps.reduce((sum, count) => sum + count, 0));
          expect(height).toBeLessThanOrEqual(Math.max(1, rows - 1));
          // The terminal may wrap the command, and nothing else.
          const wide = lines.filter((_, place) => wraps[place] > 1);
          expect(wide.filter((text) => !text.endsWith(LAB))).toEqual([]);
          if (columns >= 10) expect(lines.some((text) => text.startsWith(`>   ${chosen}`))).toBe(true);
        }
      }
    }
  });

  it('says which members it shows if there are more than fit', () => {
    expect(frame(50, 30, 80, 24).lines[0]).toBe('bully, members 22 to 38');
    expect(frame(5, 1, 80, 24).lines[0]).toBe('bully');
  });
});
