import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bully, raft } from '../../../study/src/algorithms/index.ts';
import { type ClusterNode, type ClusterNodeOptions, startNode } from '../../src/host/cluster-node.ts';
import type { MemberList } from '../../src/member-list/member-list.ts';
import { localMembers, SECURITY } from '../wire/wire-cluster.ts';

let folder = '';
const nodes = new Map<number, ClusterNode>();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hustings-changes-'));
});
afterEach(async () => {
  for (const node of nodes.values()) await node.close();
  nodes.clear();
  rmSync(folder, { recursive: true, force: true });
});

async function start(
  members: MemberList,
  id: number,
  options: Partial<ClusterNodeOptions> = {},
): Promise<ClusterNode> {
  const node = await startNode({
    ...{ members, id, algorithm: raft, security: SECURITY, heartbeatMs: 30, unitMs: 6 },
    folder: join(folder, `member-${id}`),
    ...options,
  });
  nodes.set(id, node);
  return node;
}

const of = (list: MemberList, ...ids: number[]): MemberList => ({
  ...list,
  members: list.members.filter(({ id }) => ids.includes(id)),
});

const running = (): ClusterNode[] =>
  [...nodes.values()].filter(({ status }) => !['stopped', 'removed'].includes(status.state));

/** The leader on which all members of its list agree. */
async function leaderOf(...ids: number[]): Promise<ClusterNode> {
  await expect
    .poll(
      () =>
        running().map(
          ({ status: { leader, version, members, token } }) => `${leader} ${version} ${members} ${token}`,
        ),
      { timeout: 20_000, interval: 20 },
    )
    .toSatisfy(
      (says: string[]) =>
        says.length === ids.length &&
        new Set(says).size === 1 &&
        running().some(({ status }) => status.leads),
    );
  const leader = running().find(({ status }) => status.leads);
  expect(leader?.status.members).toEqual(ids);
  return leader as ClusterNode;
}

/** A change is refused until a majority has the stamp of the leader. On a busy machine another member may lead by then. */
async function changed<T>(work: (leader: ClusterNode) => Promise<T>): Promise<T> {
  for (;;) {
    const leader = running().find(({ status }) => status.leads);
    try {
      if (leader !== undefined) return await work(leader);
    } catch (error) {
      if (!(error instanceof Error && /under way|does not lead/.test(error.message))) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

it('a leader adds members and removes others and itself, and each time all agree on the list and a leader', async () => {
  const all = await localMembers(5);
  const three = of(all, 1, 2, 3);
  for (const id of [1, 2, 3]) await start(three, id);
  await leaderOf(1, 2, 3);
  const [fourth, fifth] = all.members.slice(3);

  await start({ ...of(all, 1, 2, 3, 4), version: 2 }, 4, { join: true });
  expect(nodes.get(4)?.status).toMatchObject({ state: 'joining', leader: null });
  expect(await changed((leads) => leads.addMember(fourth))).toMatchObject({
    version: 2,
    members: all.members.slice(0, 4),
  });
  await leaderOf(1, 2, 3, 4);

  await start({ ...all, version: 3 }, 5, { join: true });
  await changed((leads) => leads.addMember(fifth));
  let leader = await leaderOf(1, 2, 3, 4, 5);

  const removed = leader.status.id;
  await changed((leads) => leads.removeMember(removed));
  const rest = [1, 2, 3, 4, 5].filter((id) => id !== removed);
  leader = await leaderOf(...rest);
  await expect.poll(() => nodes.get(removed)?.status.state, { timeout: 10_000 }).toBe('stopped');
  // It has left its folder.
  await nodes.get(removed)?.close();
  await expect(start(all, removed)).rejects.toThrow(`member ${removed} was removed from the cluster`);
  const other = rest.find((id) => id !== leader.status.id) as number;
  await nodes.get(other)?.close();
  nodes.delete(other);
  await start(all, other);
  await leaderOf(...rest);

  // It joins again with its old folder, and a file that has more members than the list that it had.
  const suspected: number[] = [];
  await start({ ...all, members: [...all.members, { id: 6, address: '127.0.0.1:1' }] }, removed, {
    join: true,
    onEvent: (event) => {
      if (event.type !== 'member' || event.event.type !== 'suspicion') return;
      if (event.event.suspected) suspected.push(event.event.peer);
    },
  });
  await expect.poll(() => suspected, { timeout: 20_000 }).toContain(6);
  await changed((leads) => leads.addMember(all.members[removed - 1]));
  await leaderOf(1, 2, 3, 4, 5);
}, 60_000);

it('a member that was down when it was removed ends when it comes back, also after all others were restarted', async () => {
  const all = await localMembers(3);
  const stop = async (...ids: number[]): Promise<void> => {
    for (const id of ids) await nodes.get(id)?.close();
    for (const id of ids) nodes.delete(id);
  };
  for (const id of [1, 2, 3]) await start(all, id);
  await leaderOf(1, 2, 3);
  for (const id of [3, 1]) {
    await stop(id);
    const rest = [...nodes.keys()].sort();
    await changed((leads) => leads.removeMember(id));
    await leaderOf(...rest);
    await stop(...rest);
    for (const other of [...rest, id]) await start(all, other);
    await expect.poll(() => nodes.get(id)?.status.state, { timeout: 20_000 }).toBe('stopped');
    await leaderOf(...rest);
    await stop(id);
    if (id === 3) {
      await start({ ...all, version: 2 }, 3, { join: true });
      await changed((leads) => leads.addMember(all.members[2]));
      await leaderOf(1, 2, 3);
    }
  }
}, 60_000);

it('refuses what cannot be changed, with one line', async () => {
  const members = await localMembers(2);
  const [one] = of(members, 1).members;
  await start(of(members, 1), 1);
  const leader = await leaderOf(1);
  const refused = async (work: Promise<unknown>): Promise<string> => {
    const error = await work.then(
      () => new Error('none'),
      (reason: Error) => reason,
    );
    return error.message;
  };
  expect(await refused(leader.removeMember(1))).toBe('member 1 is the last one; stop it instead');
  expect(await refused(leader.removeMember(7))).toBe('id must be a member (1), not 7');
  expect(await refused(leader.addMember({ id: 1, address: 'a:1' }))).toBe(
    'member 1 is in the list already; choose another id',
  );
  expect(await refused(leader.addMember({ id: 3, address: one.address }))).toContain(
    'is the address of member 1',
  );
  expect(await refused(leader.addMember({ id: 3, address: 'a' }))).toContain('must have the form HOST:PORT');
  // The second member does not run: it is waited for, and neither is the list changed nor the lead lost.
  const { token } = leader.status;
  let ended = '';
  const add = async (): Promise<void> => {
    ended = await refused(leader.addMember(members.members[1]));
    // A majority has not stored the stamp of the leader yet.
    if (ended.includes('under way')) setTimeout(add, 5);
  };
  void add();
  await expect.poll(() => refused(leader.removeMember(1))).toBe('a change is under way; try again');
  expect(leader.status).toMatchObject({ version: 1, leads: true, token });
  await leader.close();
  await expect.poll(() => ended).toBe('this member does not lead; ask the leader');
}, 60_000);

it('a new member is waited for until it runs, with a smaller id and a larger one than the leader', async () => {
  const all = await localMembers(3);
  const [smaller, , larger] = all.members;
  await start(of(all, 2), 2);
  await leaderOf(2);
  for (const [member, ids] of [
    [smaller, [1, 2]],
    [larger, [1, 2, 3]],
  ] as const) {
    let isAsked = false;
    const added = changed((leads) => {
      isAsked = true;
      return leads.addMember(member);
    });
    await expect.poll(() => isAsked).toBe(true);
    await start(all, member.id, { join: true });
    expect((await added).members).toContainEqual(member);
    await leaderOf(...ids);
  }
}, 60_000);

it('members of an algorithm without terms are not changed', async () => {
  const members = await localMembers(1);
  const node = await start(members, 1, { algorithm: bully });
  await expect(node.removeMember(1)).rejects.toThrow('the members of bully cannot be changed while it runs');
  await expect(
    start(members, 1, { algorithm: bully, join: true, folder: join(folder, 'x') }),
  ).rejects.toThrow('join must be left out');
}, 20_000);
