/** Real processes: members are added and removed by the commands, and a member is killed. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Started, startHustings, temporaryFolder } from '../../../../test-kit/command.ts';
import type { MemberList } from '../../src/member-list/member-list.ts';
import { localMembers } from '../wire/wire-cluster.ts';

const folder = temporaryFolder();
const running = new Map<number, Started>();
afterEach(async () => {
  for (const [id, started] of running) {
    running.delete(id);
    started.end('SIGKILL');
    await started.ended;
  }
});

interface Line {
  readonly type: string;
  readonly leader: number | null;
  readonly leads?: boolean;
  readonly url?: string;
}

const linesOf = (id: number): Line[] =>
  (running.get(id)?.lines() ?? []).map((text) => JSON.parse(text) as Line);

function start(list: MemberList, id: number, ...more: string[]): void {
  const file = join(folder.path, `members-${id}.json`);
  writeFileSync(file, JSON.stringify(list));
  const own = ['--members', file, '--id', `${id}`, '--dir', `member-${id}`, ...more];
  const args = [
    ...own,
    '--algorithm',
    'raft',
    '--heartbeat',
    '50ms',
    '--unit',
    '10ms',
    '--http',
    '0',
    '--events',
  ];
  running.set(id, startHustings(['node', ...args], folder.path));
}

/** The leader that all these processes name. */
async function leaderOf(...ids: number[]): Promise<number> {
  const named = (): unknown[] => ids.map((id) => linesOf(id).at(-1)?.leader ?? null);
  await expect
    .poll(named, { timeout: 30_000, interval: 30 })
    .toSatisfy(
      (all: unknown[]) => all[0] !== null && ids.includes(all[0] as number) && new Set(all).size === 1,
    );
  return named()[0] as number;
}

/** Asks the leader, and again while it does not lead or has no majority yet. */
async function change(ids: readonly number[], ...args: string[]): Promise<void> {
  for (;;) {
    const leader = await leaderOf(...ids);
    const url = linesOf(leader).find(({ type }) => type === 'up')?.url ?? '';
    const token = join(folder.path, `member-${leader}`, 'http-token');
    const asked = startHustings(['cluster', ...args, '--node', url, '--token-file', token], folder.path);
    await asked.ended;
    if (asked.lines().some((line) => line.startsWith('version '))) return;
  }
}

test('three processes; two are added, the leader is removed and ends, one is killed; all agree each time', {
  timeout: 120_000,
}, async () => {
  const all = await localMembers(5);
  const upTo = (count: number, version: number): MemberList => ({
    ...all,
    version,
    members: all.members.slice(0, count),
  });
  for (const id of [1, 2, 3]) start(upTo(3, 1), id);
  await leaderOf(1, 2, 3);
  start(upTo(4, 2), 4, '--join');
  await change([1, 2, 3], 'add', '4', all.members[3].address);
  await leaderOf(1, 2, 3, 4);
  start(upTo(5, 3), 5, '--join');
  await change([1, 2, 3, 4], 'add', '5', all.members[4].address);
  const removed = await leaderOf(1, 2, 3, 4, 5);
  await change([1, 2, 3, 4, 5], 'remove', `${removed}`);
  const rest = [1, 2, 3, 4, 5].filter((id) => id !== removed);
  const killed = await leaderOf(...rest);
  await running.get(removed)?.ended;
  expect(linesOf(removed).map(({ type }) => type)).toContain('removed');
  running.get(killed)?.end('SIGKILL');
  await running.get(killed)?.ended;
  await leaderOf(...rest.filter((id) => id !== killed));
});
