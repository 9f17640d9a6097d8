/** A folder from which a file was lost, or into which one of another member was copied, is refused: its tokens would fall. */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, test, vi } from 'vitest';
import { bully, raft } from '../../../study/src/algorithms/index.ts';
import { type ClusterNode, type ClusterNodeOptions, startNode } from '../../src/host/cluster-node.ts';
import { RecordFile } from '../../src/host/record-file.ts';
import type { MemberList } from '../../src/member-list/member-list.ts';
import { localMembers, SECURITY } from '../wire/wire-cluster.ts';

/** After each file that was replaced. */
const onReplaced = vi.hoisted(() => vi.fn());
vi.mock('../../../base/src/node/durable-file.ts', async (original) => {
  const real = await original<typeof import('../../../base/src/node/durable-file.ts')>();
  const replaceFile: typeof real.replaceFile = async (...args) => {
    await real.replaceFile(...args);
    onReplaced();
  };
  return { ...real, replaceFile };
});

const FILES = ['folders', 'members', 'state', 'support'] as const;
let folder = '';
const nodes = new Set<ClusterNode>();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hustings-lost-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
});

const fileOf = (id: number, name: string): string => join(folder, `member-${id}`, name);

async function start(
  members: MemberList,
  id: number,
  options: Partial<ClusterNodeOptions> = {},
): Promise<ClusterNode> {
  const node = await startNode({
    ...{ members, id, algorithm: bully, security: SECURITY, folder: join(folder, `member-${id}`) },
    ...{ quorum: true, leaseMs: 400, heartbeatMs: 50, ...options },
  });
  nodes.add(node);
  return node;
}

async function stopAll(): Promise<void> {
  for (const node of nodes) await node.close();
  nodes.clear();
}

test('a token does not fall because the support of a member was lost, or replaced by that of another member', async () => {
  const members = await localMembers(3);
  // A first start needs both others.
  for (const id of [1, 2]) await start(members, id);
  const leader = await start(members, 3);
  const token = (): number | null => (leader.status.leads ? leader.status.token : null);
  await expect.poll(token, { timeout: 20_000 }).toBeGreaterThan(0);
  const first = Number(token());
  leader.resign();
  await expect.poll(token, { timeout: 20_000 }).toBeGreaterThan(first);
  await stopAll();
  const one = await start(members, 1);
  await stopAll();
  expect(one.status.leads).toBe(false);
  const held = readFileSync(fileOf(3, 'support'));
  rmSync(fileOf(3, 'support'));
  await expect(start(members, 3)).rejects.toThrow(
    /^[^\n]*member-3\/support is missing, although this member has run: remove this member, and add one with a new id and an empty folder$/,
  );
  // The refusal is no first start.
  expect(existsSync(fileOf(3, 'support'))).toBe(false);
  copyFileSync(fileOf(1, 'support'), fileOf(3, 'support'));
  await expect(start(members, 3)).rejects.toThrow(
    /^[^\n]*member-3\/support is that of member 1 of the cluster demo: use another folder for member 3 of demo$/,
  );
  writeFileSync(fileOf(3, 'support'), held);
  await start(members, 1);
  const again = await start(members, 3);
  await expect.poll(() => again.status.leads, { timeout: 20_000 }).toBe(true);
  expect(again.status.token).toBeGreaterThan(first + 1);
}, 120_000);

it.each(FILES)('a member that has run is refused without its %s, or with that of another', async (name) => {
  const members = await localMembers(2);
  // Without a quorum nobody compares folders.
  for (const quorum of name === 'folders' ? [true] : [false, true]) {
    for (const id of [1, 2]) await start(members, id, { quorum });
    await stopAll();
    const held = readFileSync(fileOf(2, name));
    rmSync(fileOf(2, name));
    await expect(start(members, 2, { quorum })).rejects.toThrow(
      `${name} is missing, although this member has run`,
    );
    copyFileSync(fileOf(1, name), fileOf(2, name));
    await expect(start(members, 2, { quorum })).rejects.toThrow(
      `${name} is that of member 1 of the cluster demo`,
    );
    writeFileSync(fileOf(2, name), held);
    await start(members, 2, { quorum });
    await stopAll();
  }
});

test('a crash at any moment of a first start leaves a folder that starts, and never one without its support', async () => {
  const members = await localMembers(1);
  const path = join(folder, 'member-1');
  const found: string[] = [];
  onReplaced.mockImplementation(() => {
    found.push(
      readdirSync(path)
        .filter((name) => name !== 'lock')
        .sort()
        .join(' '),
    );
    cpSync(path, join(folder, `crash-${found.length}`), {
      recursive: true,
      filter: (from) => !from.endsWith('lock'),
    });
  });
  const node = await start(members, 1);
  await expect.poll(() => node.status.token, { timeout: 20_000 }).toBe(1);
  await stopAll();
  onReplaced.mockReset();
  const all = 'folders members state support';
  // The fifth names the others in `support`, and the sixth is the first token.
  expect(found).toEqual(['support', 'folders support', 'folders members support', all, all, all]);
  for (const [at] of found.entries()) {
    const again = await start(members, 1, { folder: join(folder, `crash-${at + 1}`) });
    await expect.poll(() => again.status.token, { timeout: 20_000 }).toBe(at === 5 ? 2 : 1);
    await stopAll();
  }
});

test.each(['support', 'members'])(
  'a folder is free for another process only when the save of its %s is on disk',
  async (name) => {
    const members = await localMembers(1);
    const { write } = RecordFile.prototype;
    const saves: (() => void)[] = [];
    // The first lead of the member is held.
    vi.spyOn(RecordFile.prototype, 'write').mockImplementation(async function (this: RecordFile, record) {
      const { stamp = 0, token = 0 } = record as { stamp?: number; token?: number };
      if (this.path.endsWith(name) && stamp + token > 0) await new Promise<void>((done) => saves.push(done));
      return write.call(this, record);
    });
    const options = name === 'support' ? {} : { algorithm: raft, quorum: false };
    const node = await start(members, 1, options);
    await expect.poll(() => saves.length, { timeout: 20_000 }).toBe(1);
    const closed = node.close();
    // Long enough for an end that does not wait.
    await new Promise((resolve) => setTimeout(resolve, 200));
    await expect(start(members, 1, options)).rejects.toMatchObject({ code: 'HUSTINGS_MEMBER_RUNS' });
    vi.restoreAllMocks();
    saves[0]();
    await closed;
    await start(members, 1, options);
  },
);

it('a member that waits to be added has no list yet, and may start again', async () => {
  const members = await localMembers(2);
  for (let times = 0; times < 2; times++) {
    await start(members, 2, { algorithm: raft, quorum: false, join: true });
    await stopAll();
    expect(readdirSync(join(folder, 'member-2')).sort()).toEqual(['folders', 'state', 'support']);
  }
});
