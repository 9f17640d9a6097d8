/** What a member prints about its start. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { localMembers } from '../../cluster/wire/wire-cluster.ts';
import { buildBefore, type Started, startHustings, temporaryFolder } from '../command.ts';

buildBefore();
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
  expect((await linesOfRun(leads)).join('\n')).not.toContain('warning');
  damageState();
  const [up, ...rest] = await linesOfRun(leads);
  expect(up).toContain('member 1 is up');
  expect(rest.join('\n')).toMatch(/^member 1: warning: member-1\/state: a copy of a record is skipped/m);
  damageState();
  const events = await linesOfRun((lines) => lines.includes('"leads":true'), '--events');
  const warnings = events.map((line) => JSON.parse(line)).filter(({ type }) => type === 'warning');
  expect(warnings).toMatchObject([
    { node: 1, text: expect.stringMatching(/state: a copy of a record is skipped/) },
  ]);
  expect((await linesOfRun(leads)).join('\n')).not.toContain('warning');
}, 120_000);
