/** Real processes with the certificates that `hustings cluster init` writes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hustings, startHustings, temporaryFolder } from '../../../../test-kit/command.ts';
import { nodeProcesses } from '../node-processes.ts';
import { localMembers } from '../wire/wire-cluster.ts';

const folder = temporaryFolder();
const { end, running } = nodeProcesses();

const linesOf = (id: number): Record<string, unknown>[] =>
  running
    .get(id)
    ?.lines()
    .map((text) => JSON.parse(text)) ?? [];
const leaderOf = (id: number): unknown => linesOf(id).at(-1)?.leader ?? null;
/** What a member said about a refusal. */
const refusals = (id: number): unknown[] =>
  linesOf(id).flatMap(({ text, type }) => (String(type).startsWith('refused') ? [text] : []));

it('four members elect; one with a certificate of another authority is refused with one line, and the others elect', async () => {
  for (const dir of ['ours', 'theirs'])
    expect(
      hustings(['cluster', 'init', '--nodes', '4', '--dir', dir, '--certificates'], folder.path).status,
    ).toBe(0);
  const members = join(folder.path, 'members.json');
  writeFileSync(members, JSON.stringify(await localMembers(4)));
  const start = (id: number, tls: string): void => {
    const options = `--algorithm raft --dir member-${id} --tls ${tls}/tls --events`;
    const args = ['node', '--members', members, '--id', String(id), ...options.split(' ')];
    running.set(id, startHustings(args, folder.path));
  };
  // A first start needs a majority of the others: two of three.
  for (const id of [1, 2, 4]) start(id, 'ours');
  start(3, 'theirs');
  const limit = { timeout: 40_000, interval: 50 };
  const dialled = /127\.0\.0\.1:\d+: its certificate is refused: self-signed certificate/;
  // Each side refuses the other: as the one that dials, and as the one at which the other dials or announces itself.
  const reached = /: it (closed the connection before it was secure|refuses)/;
  await expect.poll(() => [1, 2].flatMap(refusals).join('\n'), limit).toMatch(dialled);
  await expect.poll(() => refusals(3).join('\n'), limit).toMatch(reached);
  await expect
    .poll(() => leaderOf(1) !== null && [2, 4].every((id) => leaderOf(id) === leaderOf(1)), limit)
    .toBe(true);
  expect(leaderOf(3)).toBeNull();
  const known = new RegExp(`${dialled.source}|${reached.source}`);
  for (const text of [1, 2, 3, 4].flatMap(refusals)) expect(text).toMatch(known);
  // It dials again and again. What the others say about it is one line for each address and reason.
  const kinds = [1, 2].map((id) => refusals(id).map((text) => String(text).replace(/:\d+: /, ': ')));
  for (const said of kinds) expect(new Set(said).size).toBe(said.length);
  await end(3);
  start(3, 'ours');
  await expect.poll(() => leaderOf(3) !== null && leaderOf(3) === leaderOf(1), limit).toBe(true);
}, 120_000);
