/** Processes that must not take part get a clear line, and the members that run go on with the same leader. */
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Started, startHustings, temporaryFolder } from '../../../../test-kit/command.ts';
import { freePort } from '../../../../test-kit/servers/index.ts';
import { Random } from '../../../study/src/kernel/random.ts';
import type { MemberList } from '../../src/member-list/member-list.ts';
import { ProcessCluster } from './process-cluster.ts';

const folder = temporaryFolder();
const started = new Set<Started>();
let cluster: ProcessCluster;
const ELECTION = ['--algorithm', 'bully', '--quorum', '--lease', '3s', '--heartbeat', '150ms'];

beforeAll(async () => {
  cluster = await ProcessCluster.start({ args: ELECTION, random: new Random(1), ids: [1, 2, 3] });
  await othersGoOn();
}, 120_000);
afterAll(async () => {
  for (const each of started) each.end('SIGKILL');
  await cluster?.close();
});

/** The processes of the cluster run, and name one leader with one token, which is among `ids`. */
async function othersGoOn(ids = cluster.ids): Promise<void> {
  const fromMs = performance.now();
  const isAgreed = (): boolean => {
    const says = ids.map((id) => cluster.statusOf(id, fromMs)).map((one) => `${one?.leader} ${one?.token}`);
    return new Set(says).size === 1 && ids.some((id) => cluster.statusOf(id, fromMs)?.leads);
  };
  await vi.waitUntil(isAgreed, { timeout: 50_000 });
  expect(cluster.living).toEqual(cluster.ids);
}

let files = 0;

/** Runs a member with another member file than the cluster has, or with other options; they precede those of the cluster. */
async function intruder(
  options: {
    readonly id?: number;
    readonly members?: string;
    readonly dir?: string;
    readonly listen?: string;
    readonly secret?: string;
  } = {},
): Promise<Started> {
  files++;
  const file = join(folder.path, `members-${files}.json`);
  writeFileSync(file, options.members ?? readFileSync(cluster.memberFile, 'utf8'));
  const secret = join(folder.path, `secret-${files}`);
  writeFileSync(secret, options.secret ?? readFileSync(cluster.secretFile, 'utf8'));
  const dir = options.dir ?? join(folder.path, `member-${files}`);
  mkdirSync(dir, { recursive: true });
  const listen = options.listen ?? `127.0.0.1:${await freePort()}`;
  const own = ['--members', file, '--id', `${options.id ?? 1}`, '--dir', dir, '--listen', listen];
  const process = startHustings(['node', ...own, '--secret-file', secret, '--events', ...ELECTION]);
  started.add(process);
  return process;
}

function listWith(change: (list: MemberList) => unknown): string {
  return JSON.stringify(change(JSON.parse(readFileSync(cluster.memberFile, 'utf8')) as MemberList));
}

/** A folder with only this file of a member that runs. */
function folderWith(id: number, name: string): string {
  const dir = join(folder.path, `only-${name}`);
  mkdirSync(dir);
  copyFileSync(join(cluster.stateFolder(id), name), join(dir, name));
  return dir;
}

const oneLine = (text: string): RegExp => new RegExp(`^hustings: ${text}[^\\n]*\\n$`);

test('a process that cannot be a member ends with one line', async () => {
  const cases: readonly (readonly [Promise<Started>, number, RegExp])[] = [
    [
      intruder({ listen: cluster.listenAddress(1) }),
      3,
      oneLine('member 1 cannot listen: .* is in use; stop'),
    ],
    [
      intruder({ dir: cluster.stateFolder(1) }),
      3,
      oneLine('another process uses the folder .* already; stop it'),
    ],
    [
      intruder({ dir: folderWith(1, 'state') }),
      3,
      oneLine('.*support is missing, although this member has run: remove this member, and add one'),
    ],
    [
      intruder({ dir: folderWith(2, 'support') }),
      2,
      oneLine('.*support is that of member 2 of the cluster demo: use another folder for member 1 of demo'),
    ],
    [intruder({ id: 9 }), 2, oneLine('--id must be a member of the cluster demo \\(1, 2, 3\\), not 9')],
    [
      intruder({ members: '{' }),
      2,
      oneLine('--members must be a member file, and .* is not: the member list must be JSON'),
    ],
    [
      intruder({ members: listWith((list) => ({ ...list, members: [...list.members, list.members[0]] })) }),
      2,
      oneLine('--members must be a member file, and .* is not: the ids must differ, and 1 is given twice'),
    ],
  ];
  for (const [started, code, line] of cases) {
    const { status, stderr } = await (await started).ended;
    expect([status, stderr]).toEqual([code, expect.stringMatching(line)]);
  }
  await othersGoOn();
}, 120_000);

test.each<[string, () => Promise<Started>, RegExp]>([
  [
    'a member of another cluster',
    () => intruder({ members: listWith((list) => ({ ...list, cluster: 'other' })) }),
    /this is a member of another cluster than other/,
  ],
  [
    'a member with another list of the same version',
    () =>
      intruder({
        members: listWith((list) => ({
          ...list,
          members: [...list.members, { id: 4, address: '127.0.0.1:9' }],
        })),
      }),
    /two different member lists have version 1; copy one to all members/,
  ],
  [
    'a member with another secret',
    () => intruder({ secret: 'another secret, and at least 32 bytes long' }),
    /MAC of a frame is wrong; give all members the same secret/,
  ],
])(
  '%s is told why nobody talks to it, and the others go on',
  async (_, start, line) => {
    const process = await start();
    await expect.poll(() => process.lines().join('\n'), { timeout: 30_000 }).toMatch(line);
    process.end('SIGKILL');
    await process.ended;
    await othersGoOn();
  },
  60_000,
);

test('a process that runs as a member in another folder is refused, and the member goes on', async () => {
  const process = await intruder();
  await expect
    .poll(() => process.lines().join('\n'), { timeout: 30_000 })
    .toMatch(/member 1 has another folder than before: start it with that one/);
  await othersGoOn();
  process.end('SIGKILL');
  await process.ended;
}, 120_000);

test('of two processes with copies of one folder, the older one is told, and the others go on', async () => {
  const dir = join(folder.path, 'copy');
  cpSync(cluster.stateFolder(1), dir, { recursive: true, filter: (from) => !from.endsWith('lock') });
  const process = await intruder({ dir });
  await expect
    .poll(() => cluster.member(1).lines.join('\n'), { timeout: 30_000 })
    .toMatch(/a newer process runs as member 1; stop one of the two/);
  process.end('SIGKILL');
  await process.ended;
  await othersGoOn([2, 3]);
}, 120_000);
