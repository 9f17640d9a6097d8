/** The member list at one member, with a disk that saves when the test says so. */
import { describe, expect, test } from 'vitest';
import { raft } from '../../../study/src/algorithms/index.ts';
import type { MemberChange } from '../../src/membership/list-change.ts';
import type { ListRecord, RecordName } from '../../src/membership/list-record.ts';
import type { MembersFrame } from '../../src/membership/members-frame.ts';
import { Membership, SilentMemberError } from '../../src/membership/membership.ts';
import type { ListKeeper } from '../../src/runtime/member-options.ts';
import { agreed, withLists } from '../runtime/absurd-numbers.ts';
import { UNIT_MS } from '../simulated-cluster.ts';

const MEMBERS = [1, 2, 3].map((id) => ({ id, address: `127.0.0.1:700${id}` }));
const stamped = (stamp: number): ListRecord => ({ stamp, version: 1, origin: 0, members: MEMBERS });

test('a record that comes while an older one is saved is answered when it is on disk, without being repeated', async () => {
  const saves: { readonly stamp: number; readonly end: () => void }[] = [];
  const sent: [number, MembersFrame][] = [];
  const member = new Membership(
    { cluster: 'demo', self: 2, record: stamped(0) },
    {
      save: ({ stamp }) => new Promise((end) => saves.push({ stamp, end })),
      useList: () => undefined,
      raiseTerm: () => undefined,
      keepFormer: () => undefined,
      send: (to, frame) => sent.push([to, frame]),
      termState: () => ({ term: 6, leads: false, isAdmitted: true }),
      answers: () => true,
      raise: () => null,
      onCommitted: () => undefined,
      onFailure: () => undefined,
    },
  );
  const offer = (from: number, stamp: number): void => {
    member.receive(from, { type: 'members', about: 'record', record: stamped(stamp), isCommitted: false });
  };
  offer(1, 5);
  offer(3, 6);
  expect(saves.map(({ stamp }) => stamp)).toEqual([5]);
  saves[0].end();
  await expect.poll(() => saves.map(({ stamp }) => stamp)).toEqual([5, 6]);
  expect(sent).toEqual([]);
  saves[1].end();
  const name = { stamp: 6, version: 1, origin: 0 };
  await expect
    .poll(() => sent)
    .toEqual([[3, { type: 'members', about: 'stored', name, isConfirmed: true, isCommitted: false }]]);
});

/** What member 1 answers to a change of the list 1, 2, 3, of which it is the leader, while these others answer. */
async function proposal(answering: readonly number[], change: MemberChange): Promise<string | number[]> {
  const leader = new Membership(
    { cluster: 'demo', self: 1, record: stamped(5) },
    {
      save: async () => undefined,
      useList: () => undefined,
      raiseTerm: () => undefined,
      keepFormer: () => undefined,
      send: () => undefined,
      termState: () => ({ term: 6, leads: true, isAdmitted: true }),
      answers: (id) => answering.includes(id),
      raise: () => null,
      onCommitted: () => undefined,
      onFailure: () => undefined,
    },
  );
  leader.tick();
  await expect.poll(() => leader.record?.stamp).toBe(6);
  const name = { stamp: 6, version: 1, origin: 0 };
  leader.receive(2, { type: 'members', about: 'stored', name, isConfirmed: true, isCommitted: false });
  try {
    return leader.propose(change).members.map(({ id }) => id);
  } catch (error) {
    return `${error instanceof SilentMemberError}: ${(error as Error).message}`;
  }
}

const added: MemberChange = { type: 'add', member: { id: 4, address: '127.0.0.1:7004' } };

test('a list with a new member is proposed only if that member answers', async () => {
  expect(await proposal([2, 3], added)).toBe(
    'true: member 4 does not answer at 127.0.0.1:7004; start it with join, then repeat',
  );
  expect(await proposal([2, 3, 4], added)).toEqual([1, 2, 3, 4]);
  expect(await proposal([2, 4], added)).toEqual([1, 2, 3, 4]);
});

test('a member is removed only if those that answer are a majority of the others', async () => {
  const remove = (id: number): MemberChange => ({ type: 'remove', id });
  const refused = (found: string, of: string): string =>
    `false: the members that answer (${found}) would be no majority of ${of}; start the others, then repeat`;
  expect(await proposal([2], remove(2))).toBe(refused('1', '1, 3'));
  // The leader itself.
  expect(await proposal([2], remove(1))).toBe(refused('2', '2, 3'));
  expect(await proposal([2], remove(3))).toEqual([1, 2]);
  for (const id of [1, 2, 3]) expect(await proposal([2, 3], remove(id))).toHaveLength(2);
});

describe('members of an earlier list', () => {
  const [, , third] = MEMBERS;
  const two = { version: 2, members: MEMBERS.slice(0, 2), removed: third };
  /** What `keepFormer` was given, as ids, by a member whose list was that of three. */
  function keeping(self: number, leads: boolean): { member: Membership; kept: number[][] } {
    const kept: number[][] = [];
    const member = new Membership(
      { cluster: 'demo', self, record: stamped(6) },
      {
        save: async () => undefined,
        useList: () => undefined,
        raiseTerm: () => undefined,
        keepFormer: (former) => void kept.push(former.map(({ id }) => id)),
        send: () => undefined,
        termState: () => ({ term: 7, leads, isAdmitted: true }),
        answers: () => true,
        raise: () => null,
        onCommitted: () => undefined,
        onFailure: () => undefined,
      },
    );
    return { member, kept };
  }
  const stored = (member: Membership, name: RecordName, isCommitted = false): string | null =>
    member.receive(2, { type: 'members', about: 'stored', name, isConfirmed: true, isCommitted });

  test('are kept by a follower until it knows that a majority has the list without them', async () => {
    const { kept, member } = keeping(2, false);
    const record = { stamp: 7, origin: 7, ...two };
    const tell = (isCommitted: boolean): string | null =>
      member.receive(1, { type: 'members', about: 'record', record, isCommitted });
    tell(false);
    await expect.poll(() => member.record?.version).toBe(2);
    expect(kept).toEqual([[3]]);
    tell(true);
    expect(kept).toEqual([[3], []]);
  });

  test('are told by the leader a limited number of times', async () => {
    const { kept, member } = keeping(1, true);
    member.tick();
    await expect.poll(() => member.record?.stamp).toBe(7);
    stored(member, { stamp: 7, version: 1, origin: 0 });
    member.propose({ type: 'remove', id: 3 });
    await expect.poll(() => member.record?.version).toBe(2);
    expect(kept.at(-1)).toEqual([3]);
    stored(member, { stamp: 7, version: 2, origin: 7 }, true);
    for (let k = 0; k < 580; k++) member.tick();
    expect(kept.at(-1)).toEqual([3]);
    for (let k = 0; k < 40; k++) member.tick();
    expect(kept.at(-1)).toEqual([]);
  });

  test('are not kept if a present member has their address', async () => {
    const { kept, member } = keeping(1, true);
    const fourth = { id: 4, address: third.address };
    const members = [...two.members, fourth];
    member.receive(2, {
      ...{ type: 'members', about: 'record', isCommitted: false },
      record: { stamp: 7, version: 3, origin: 7, members, removed: undefined },
    });
    await expect.poll(() => member.record?.version).toBe(3);
    expect(kept).toEqual([[]]);
  });
});

test('a list that cannot be used is reported to the host; a save that fails is not, because the host knows', async () => {
  const reported: unknown[] = [];
  const failing = (save: () => Promise<void>, useList: () => void): Membership => {
    const member = new Membership(
      { cluster: 'demo', self: 2, record: stamped(0) },
      {
        save,
        useList,
        raiseTerm: () => undefined,
        keepFormer: () => undefined,
        send: () => undefined,
        termState: () => ({ term: 6, leads: false, isAdmitted: true }),
        answers: () => true,
        raise: () => null,
        onCommitted: () => undefined,
        onFailure: (error) => reported.push(error),
      },
    );
    const record = { ...stamped(5), version: 2, origin: 5 };
    member.receive(1, { type: 'members', about: 'record', record, isCommitted: false });
    return member;
  };
  const full = failing(
    () => Promise.reject(new Error('full')),
    () => undefined,
  );
  failing(
    async () => undefined,
    () => {
      throw new Error('no overlay');
    },
  );
  await expect.poll(() => reported).toEqual([new Error('no overlay')]);
  expect(full.record?.version).toBe(1);
});

test('a member that cannot use its list stops with one line', async () => {
  const { listsOf, ...options } = withLists();
  const unitMs = (ids: readonly number[]): number => {
    if (ids.length === 3) return UNIT_MS;
    throw new Error('no unit');
  };
  const cluster = await agreed(raft, {
    ...options,
    listsOf: (id, time) => ({ ...(listsOf?.(id, time) as ListKeeper), unitMs }),
  });
  await cluster.time.runUntil(cluster.time.nowMs + 2_000);
  const leader = cluster.living.find((id) => cluster.statusOf(id).role === 'leader') as number;
  cluster.processes.get(leader)?.runtime.changeMembers({ type: 'remove', id: leader === 1 ? 2 : 1 });
  await cluster.time.runUntil(cluster.time.nowMs + 2_000);
  expect(cluster.statusOf(leader)).toMatchObject({
    state: 'stopped',
    reason: 'its member list could not be used',
  });
});
