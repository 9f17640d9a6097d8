/** Members with a quorum and member files of several versions, with real disks and sockets. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bully, raft } from '../../../study/src/algorithms/index.ts';
import { type ClusterNode, type ClusterNodeOptions, startNode } from '../../src/host/cluster-node.ts';
import type { MemberList } from '../../src/member-list/member-list.ts';
import { localMembers, SECURITY } from '../wire/wire-cluster.ts';

const LIMIT = { timeout: 30_000, interval: 10 };
const LEASE_MS = 400;
let folder = '';
let all: MemberList;
const nodes = new Map<number, ClusterNode>();
const said: string[] = [];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hustings-versions-'));
  all = await localMembers(5);
  said.length = 0;
});
afterEach(async () => {
  await stop(...nodes.keys());
  rmSync(folder, { recursive: true, force: true });
});

/** The first members, or those with these ids. */
function version(number: number, ids: number | readonly number[]): MemberList {
  const isIn = (id: number): boolean => (typeof ids === 'number' ? id <= ids : ids.includes(id));
  return { ...all, version: number, members: all.members.filter(({ id }) => isIn(id)) };
}

async function start(
  members: MemberList,
  ids: readonly number[],
  options: Partial<ClusterNodeOptions> = {},
): Promise<void> {
  const run = async (id: number): Promise<void> => {
    const onEvent: ClusterNodeOptions['onEvent'] = (event) => {
      if (event.type === 'warning') said.push(event.text);
      if (event.type === 'wire' && 'text' in event.event) said.push(`${id}: ${event.event.text}`);
    };
    const own = { members, id, security: SECURITY, folder: join(folder, `member-${id}`), onEvent };
    const setup = { algorithm: bully, quorum: true, leaseMs: LEASE_MS, heartbeatMs: 50 };
    nodes.set(id, await startNode({ ...setup, ...own, ...options }));
  };
  await Promise.all(ids.map(run));
}

async function stop(...ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    await nodes.get(id)?.close();
    nodes.delete(id);
  }
}

const statusOf = (id: number) => nodes.get(id)?.status;
const agree = async (ids: readonly number[]): Promise<number> => {
  await expect
    .poll(() => new Set(ids.map((id) => statusOf(id)?.leader ?? `none at ${id}`)).size, LIMIT)
    .toBe(1);
  await expect.poll(() => ids.some((id) => statusOf(id)?.leads), LIMIT).toBe(true);
  return statusOf(ids[0])?.token ?? 0;
};

it('two of five members that take version 2 and version 3 alone do not lead, although they are a majority of version 3', async () => {
  await start(version(1, 5), [1, 2, 3, 4, 5]);
  await agree([1, 2, 3, 4, 5]);
  await stop(1, 2);
  for (const id of [3, 4, 5]) nodes.get(id)?.cut([1, 2]);
  for (const list of [version(2, 4), version(3, 3)]) {
    await stop(1, 2);
    await start(list, [1, 2]);
    await expect.poll(() => [1, 2].map((id) => statusOf(id)?.connected), LIMIT).toEqual([[2], [1]]);
    // Long enough for an election, and for the lease after it.
    await new Promise((resolve) => setTimeout(resolve, 8 * LEASE_MS));
    expect([1, 2].map((id) => statusOf(id)?.leader)).toEqual([null, null]);
    expect([1, 2].map((id) => statusOf(id)?.storedVersion)).toEqual([1, 1]);
  }
  await agree([3, 4, 5]);
}, 60_000);

it('a list whose majority need not share a member with that of the stored one is refused; not after a stop of all', async () => {
  await start(version(1, 5), [1, 2, 3, 4, 5]);
  await agree([1, 2, 3, 4, 5]);
  await stop(1, 2);
  await expect(start(version(2, 3), [1])).rejects.toThrow(
    /members: version 2 of the member list \(1, 2, 3\) cannot follow version 1 \(1, 2, 3, 4, 5\), which is stored: .* change fewer members at once, or stop all members of both$/,
  );
  await stop(3, 4, 5);
  await start(version(2, 3), [1, 2, 3], { allStopped: true });
  await agree([1, 2, 3]);
  expect([1, 2, 3].map((id) => statusOf(id)?.storedVersion)).toEqual([2, 2, 2]);
}, 60_000);

it('members that take the next version one after the other go on, and their tokens rise', async () => {
  await start(version(1, 3), [1, 2, 3]);
  let token = await agree([1, 2, 3]);
  for (const id of [3, 2, 1]) {
    await stop(id);
    await start(version(2, 4), id === 3 ? [3, 4] : [id]);
    await expect.poll(() => statusOf(id)?.storedVersion, LIMIT).toBe(2);
  }
  const next = await agree([1, 2, 3, 4]);
  expect(next).toBeGreaterThan(token);
  token = next;
  // Member 2 was down while the others took version 3.
  await stop(2);
  for (const id of [4, 3, 1]) {
    await stop(id);
    await start(version(3, [1, 2, 3]), id === 4 ? [] : [id]);
  }
  await stop(2);
  await start(version(3, [1, 2, 3]), [2]);
  expect(await agree([1, 2, 3])).toBeGreaterThan(token);
}, 90_000);

it('a first start with a later version supports nobody, and says so', async () => {
  await start(version(2, 3), [1, 2, 3]);
  const text =
    'member 1 supports no leader yet: it has stored no member list, and stores version 2 when another member is reached that has stored version 2; start those members, or stop all members and start each with all-stopped';
  await expect.poll(() => said, LIMIT).toContain(text);
  expect([1, 2, 3].map((id) => statusOf(id)?.leader)).toEqual([null, null, null]);
  await stop(1, 2, 3);
  await start(version(2, 3), [1, 2, 3], { allStopped: true });
  await agree([1, 2, 3]);
}, 60_000);

it('ephemeral: members that have forgotten version 2 and start with version 1 do not lead beside those that have not', async () => {
  const ephemeral = { ephemeral: true };
  await start(version(2, 5), [1, 2, 3, 4, 5], { ...ephemeral, allStopped: true });
  await agree([1, 2, 3, 4, 5]);
  for (const id of [2, 3]) {
    await stop(id);
    rmSync(join(folder, `member-${id}`), { recursive: true });
    await start(version(1, 3), [id], ephemeral);
    await expect.poll(() => statusOf(id)?.connected, LIMIT).toContain(1);
    // Long enough for the lease, and for the answers after it.
    await new Promise((resolve) => setTimeout(resolve, 4 * LEASE_MS));
  }
  nodes.get(1)?.cut([2, 3]);
  for (const id of [2, 3]) nodes.get(id)?.cut([1]);
  await agree([1, 4, 5]);
  await new Promise((resolve) => setTimeout(resolve, 8 * LEASE_MS));
  expect([2, 3].map((id) => statusOf(id)?.leader)).toEqual([null, null]);
  expect([2, 3].map((id) => statusOf(id)?.recovery)).toEqual(
    [1, 2].map(() => ({ isRecovered: false, answeredBy: [], needed: 2 })),
  );
}, 60_000);

it('raft: a file does not replace a stored list, also before a leader has stamped it; after a stop of all it does', async () => {
  const options = { algorithm: raft, quorum: undefined, leaseMs: undefined };
  await start(version(1, 3), [1], options);
  await stop(1);
  await expect(start(version(2, [1, 4, 5]), [1], options)).rejects.toThrow(
    'members: the member file must be that of version 1, which is stored',
  );
  await start(version(2, [1, 4, 5]), [1, 4, 5], { ...options, allStopped: true });
  await agree([1, 4, 5]);
}, 60_000);

it('all-stopped is refused where it says nothing', async () => {
  const without = { quorum: undefined, leaseMs: undefined, allStopped: true };
  await expect(start(version(1, 3), [1], without)).rejects.toThrow(
    'allStopped must be left out: without a majority a later member file counts',
  );
  const joining = { ...without, algorithm: raft, join: true };
  await expect(start(version(1, 3), [1], joining)).rejects.toThrow(
    'allStopped must be left out: the others run when a member joins',
  );
});

it('join is refused for an algorithm whose members cannot be changed, and leaves no folder', async () => {
  const joining = { quorum: undefined, leaseMs: undefined, join: true };
  await expect(start(version(1, 3), [1], joining)).rejects.toThrow(
    'join must be left out: the members of bully cannot be changed while it runs',
  );
  expect(existsSync(join(folder, 'member-1'))).toBe(false);
});
