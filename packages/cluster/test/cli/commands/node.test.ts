/** What a member prints about its start. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Started, startHustings, temporaryFolder } from '../../../../../test-kit/command.ts';
import { localMembers } from '../../wire/wire-cluster.ts';

const folder = temporaryFolder();
const running = new Set<Started>();
afterAll(() => {
  for (const started of running) started.end('SIGKILL');
});

/** Runs the only member of its cluster until it has led and `isEnough`, and returns what it printed. */
async function linesOfRun(isEnough: (lines: string) => boolean, ...more: string[]): Promise<string[]> {
  const own = ['--members', 'members.json', '--id', '1', '--dir', 'member-1', '--algorithm', 'bully'];
  const started = startHustings(['node', ...own, '--quorum', '--heartbeat', '50ms', ...more], folder.path);
  running.add(started);
  await expect.poll(() => started.lines().join('\n'), { timeout: 30_000 }).toSatisfy(isEnough);
  started.end('SIGTERM');
  await started.ended;
  running.delete(started);
  return started.lines();
}

/** Changes a byte of the first copy of each record. */
function damageState(): void {
  const path = join(folder.path, 'member-1', 'state');
  const bytes = readFileSync(path);
  for (const copy of [0, 2]) bytes[copy * 32_768 + 70] ^= 1;
  writeFileSync(path, bytes);
}

test('a member that starts with a damaged copy says so once, as a sentence and as a line of --events', async () => {
  writeFileSync(join(folder.path, 'members.json'), JSON.stringify(await localMembers(1)));
  const leads = (lines: string): boolean => lines.includes('leads, token');
  expect((await linesOfRun(leads)).join('\n')).not.toContain('a copy of a record');
  damageState();
  const [up, ...rest] = await linesOfRun(leads);
  expect(up).toContain('member 1 is up');
  expect(rest.join('\n')).toMatch(/^member 1: warning: member-1\/state: a copy of a record is skipped/m);
  damageState();
  const events = await linesOfRun((lines) => lines.includes('"leads":true'), '--events');
  const warnings = events
    .map((line) => JSON.parse(line))
    // A busy disk has a warning of its own.
    .filter(({ type, text }) => type === 'warning' && !text.startsWith('a save takes longer'));
  expect(warnings).toMatchObject([
    { node: 1, text: expect.stringMatching(/state: a copy of a record is skipped/) },
  ]);
  expect((await linesOfRun(leads)).join('\n')).not.toContain('a copy of a record');
}, 120_000);

test('members with two versions of the list both say so, with both numbers, and a member that is not in one is named with it', async () => {
  const list = await localMembers(3);
  const write = (file: string, version: number, members: number): void =>
    writeFileSync(
      join(folder.path, file),
      JSON.stringify({ ...list, version, members: list.members.slice(0, members) }),
    );
  write('one.json', 1, 2);
  write('two.json', 2, 3);
  const start = (id: number, file: string): Started => {
    const own = ['--members', file, '--id', `${id}`, '--dir', `versions-${id}`];
    const started = startHustings(
      ['node', ...own, '--algorithm', 'bully', '--heartbeat', '50ms'],
      folder.path,
    );
    running.add(started);
    return started;
  };
  const [one, two] = [start(1, 'one.json'), start(2, 'two.json')];
  const has = (started: Started, text: string) =>
    expect.poll(() => started.lines(), { timeout: 30_000 }).toContain(text);
  await has(one, 'member 2 has version 2 of the member list, and member 1 version 1');
  await has(two, 'member 1 has version 1 of the member list, and member 2 version 2');
  await has(
    start(3, 'two.json'),
    'member 3 is refused by member 1: member 3 is not in version 1 of the member list',
  );
}, 120_000);

test('a member file that cannot follow the stored one is refused in one line, with the option for a stop of all', async () => {
  const list = await localMembers(3);
  const file = join(folder.path, 'following.json');
  const run = (...more: string[]): Started => {
    const own = ['--members', file, '--id', '1', '--dir', 'following-1', '--algorithm', 'bully', '--quorum'];
    const started = startHustings(['node', ...own, ...more], folder.path);
    running.add(started);
    return started;
  };
  const up = async (started: Started): Promise<void> => {
    await expect.poll(() => started.lines().join(), { timeout: 30_000 }).toContain('is up');
    started.end('SIGTERM');
    await started.ended;
  };
  writeFileSync(file, JSON.stringify({ ...list, members: list.members.slice(0, 1) }));
  await up(run());
  writeFileSync(file, JSON.stringify({ ...list, version: 2 }));
  const { status, stderr } = await run().ended;
  expect([status, stderr]).toEqual([
    2,
    'hustings: following-1/members: version 2 of the member list (1, 2, 3) cannot follow version 1 (1), which is stored: majorities of the two need not share a member, so that two leaders could be elected; change fewer members at once, or stop all members of both; or use --all-stopped\n',
  ]);
  await up(run('--all-stopped'));
  await up(run());
}, 120_000);
