/** Members whose folders do not last, with real disks and sockets: a folder is gone at each restart. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bully, raft } from '../../../study/src/algorithms/index.ts';
import { type ClusterNode, type ClusterNodeOptions, startNode } from '../../src/host/cluster-node.ts';
import { serveNode } from '../../src/host/node-server.ts';
import type { MemberList } from '../../src/member-list/member-list.ts';
import { localMembers, SECURITY } from '../wire/wire-cluster.ts';

const LIMIT = { timeout: 30_000, interval: 5 };
let folder = '';
let members: MemberList;
const nodes = new Map<number, ClusterNode>();
const told: string[] = [];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hustings-ephemeral-'));
  members = await localMembers(3);
  told.length = 0;
});
afterEach(async () => {
  for (const node of nodes.values()) await node.close();
  nodes.clear();
  rmSync(folder, { recursive: true, force: true });
});

const folderOf = (id: number): string => join(folder, `member-${id}`);

async function start(id: number, setup: Partial<ClusterNodeOptions>): Promise<void> {
  const onEvent: ClusterNodeOptions['onEvent'] = (event) => {
    if (event.type === 'wire' && event.event.type === 'refused') told.push(event.event.text);
    if (event.type === 'warning') told.push(event.text);
  };
  const own = { members, id, security: SECURITY, folder: folderOf(id), heartbeatMs: 50, onEvent };
  nodes.set(id, await startNode({ ...own, algorithm: raft, ephemeral: true, ...setup }));
}

async function lose(id: number): Promise<void> {
  await nodes.get(id)?.close();
  nodes.delete(id);
  rmSync(folderOf(id), { recursive: true });
}

const leaderOf = (id: number): number | null => nodes.get(id)?.status.leader ?? null;
const tokenOf = (id: number): number => nodes.get(id)?.status.token ?? 0;
async function agreed(): Promise<number> {
  const ids = [...nodes.keys()];
  const isAgreed = (): boolean => leaderOf(ids[0]) !== null && new Set(ids.map(leaderOf)).size === 1;
  await expect.poll(isAgreed, LIMIT).toBe(true);
  return leaderOf(ids[0]) as number;
}

describe.each([
  ['raft', { algorithm: raft }],
  ['bully with a quorum', { algorithm: bully, quorum: true, leaseMs: 400 }],
] as const)('%s', (_, setup) => {
  it('elects at the first start of all, and goes on when one member after the other has lost its folder', async () => {
    for (const id of [1, 2, 3]) await start(id, setup);
    let token = 0;
    for (const id of [1, 2, 3]) {
      const leader = await agreed();
      const before = tokenOf(leader);
      expect(before).toBeGreaterThanOrEqual(token);
      token = before;
      await lose(id);
      await start(id, setup);
      await expect.poll(() => nodes.get(id)?.status.recovery?.isRecovered, LIMIT).toBe(true);
    }
    const last = await agreed();
    expect(tokenOf(last)).toBeGreaterThanOrEqual(token);
    expect(told).toEqual([]);
  }, 90_000);

  it('elects again when all members have lost their folders', async () => {
    for (const id of [1, 2, 3]) await start(id, setup);
    await agreed();
    for (const id of [1, 2, 3]) await lose(id);
    for (const id of [1, 2, 3]) await start(id, setup);
    await agreed();
  }, 60_000);

  it('waits while a member is missing and another one has forgotten', async () => {
    for (const id of [1, 2, 3]) await start(id, setup);
    await agreed();
    await lose(1);
    await lose(2);
    await start(2, setup);
    await expect
      .poll(() => told, LIMIT)
      .toContainEqual(
        'member 2 supports no leader yet: its folder does not last, and 1 of 2 other members have told it what it must not forget; start the others: if all of them answer, that is enough',
      );
    const { status } = nodes.get(2) as ClusterNode;
    expect(status.recovery).toEqual({ isRecovered: false, answeredBy: [3], needed: 2 });
    const server = await serveNode(0, () => ({ ...status, leader: 3 }));
    try {
      expect((await fetch(`${server.url}readyz`)).status).toBe(503);
    } finally {
      await server.close();
    }
    expect(leaderOf(3)).toBeNull();
    await start(1, setup);
    await agreed();
  }, 60_000);
});

it('refuses a member whose folder lasts among members whose folders do not', async () => {
  await start(1, {});
  await start(2, { ephemeral: false });
  await expect
    .poll(() => told, LIMIT)
    .toContainEqual(
      expect.stringMatching(
        /^the folder of member [12] is (kept, and that of member [12] is ephemeral|ephemeral, and that of member [12] is kept); give all members the same$/,
      ),
    );
});

describe('options that do not fit are refused', () => {
  it.each([
    ['no majority', { algorithm: bully }, /ephemeral must be left out: it needs a quorum, or an algorithm/],
    ['no lease', { set: { lease: false } }, /ephemeral must be left out: with these parameters raft has no/],
  ])('%s', async (_, setup, why) => {
    await expect(start(1, setup)).rejects.toThrow(why);
  });

  it('two members', async () => {
    members = await localMembers(2);
    await expect(start(1, {})).rejects.toThrow(
      /ephemeral must be left out: members whose folders do not last/,
    );
  });
});
