/** Members that compare their folders: what counts before a folder is on disk, and what a second folder of a member can do. */
import { describe, expect, test } from 'vitest';
import { raft } from '../../../study/src/algorithms/quorum/raft.ts';
import { FolderGuard } from '../../src/folder/folder-guard.ts';
import { type FolderRecord, isRecorded, neededRecorders } from '../../src/folder/folder-record.ts';
import type { Frame, Transport, TransportEvents } from '../../src/transport.ts';
import { SimulatedCluster } from '../simulated-cluster.ts';

const [ONE, TWO, OTHER] = ['1', '2', 'f'].map((digit) => digit.repeat(32));

test('two majorities of the others of a list share a member', () => {
  for (let members = 2; members < 50; members++)
    expect(2 * neededRecorders(members), `${members} members`).toBeGreaterThan(members - 1);
  expect(neededRecorders(1)).toBe(0);
  expect(isRecorded({ recordedBy: [1, 7] }, 2, [1, 2, 3])).toBe(false);
  expect(isRecorded({ recordedBy: [1, 3, 7] }, 2, [1, 2, 3])).toBe(true);
});

describe('a guard', () => {
  function guarded(): {
    readonly guard: FolderGuard;
    readonly wire: TransportEvents;
    readonly sent: Frame[];
    readonly passed: unknown[];
    readonly saves: { readonly record: FolderRecord; done(): void }[];
  } {
    let wire: TransportEvents | undefined;
    const sent: Frame[] = [];
    const passed: unknown[] = [];
    const saves: { record: FolderRecord; done(): void }[] = [];
    const inner: Transport = {
      open: async (events) => {
        wire = events;
      },
      send: (_, frame) => sent.push(frame),
      reset: () => undefined,
      close: async () => undefined,
    };
    const guard = new FolderGuard(inner, {
      self: 1,
      record: { id: ONE, recordedBy: [], peers: {} },
      isConnected: () => true,
      save: (record) => new Promise((resolve) => saves.push({ record, done: resolve })),
    });
    void guard.open({
      onFrame: (_, { n }) => passed.push(n),
      onSignOfLife: () => undefined,
      onReset: () => passed.push('reset'),
    });
    return { guard, wire: wire as TransportEvents, sent, passed, saves };
  }

  test('passes nothing on, and does not answer, before the folder of the sender is on disk', async () => {
    const { passed, saves, sent, wire } = guarded();
    wire.onFolder?.(2, TWO);
    wire.onFrame(2, { type: 'message', n: 1 });
    wire.onReset(2, []);
    wire.onFrame(2, { type: 'message', n: 2 });
    wire.onFrame(3, { type: 'message', n: 'of another' });
    await Promise.resolve();
    expect(saves.map(({ record }) => record.peers)).toEqual([{ 2: TWO }]);
    expect([passed, sent]).toEqual([['of another'], []]);
    saves[0].done();
    await expect.poll(() => passed).toEqual(['of another', 1, 'reset', 2]);
    expect(sent[0]).toEqual({ type: 'folder', folder: TWO });
    // On another connection it answers at once.
    sent.length = 0;
    wire.onFolder?.(2, TWO);
    expect(sent).toEqual([{ type: 'folder', folder: TWO }]);
    expect(saves).toHaveLength(1);
  });

  test('refuses another folder of a member, and records it nowhere', () => {
    const { guard, saves, wire } = guarded();
    wire.onFolder?.(2, TWO);
    expect(guard.refusal(2, TWO)).toBeNull();
    expect(guard.refusal(2, OTHER)).toMatch(
      /^member 2 has another folder than before: start it with that one; if it is lost, remove member 2, and add a member with a new id$/,
    );
    wire.onFolder?.(2, OTHER);
    expect(saves).toHaveLength(1);
  });

  test('counts answers for its own folder alone', () => {
    const { guard, wire } = guarded();
    wire.onFrame(2, { type: 'folder', folder: OTHER });
    wire.onFrame(3, { type: 'folder', folder: ONE });
    expect(guard.record.recordedBy).toEqual([3]);
    expect([guard.isRecorded([1, 2, 3]), guard.isRecorded([1, 3])]).toEqual([false, true]);
  });

  test('passes on a frame that is not valid, so that the member reports it', () => {
    const { passed, wire } = guarded();
    wire.onFrame(2, { type: 'folder', folder: 7, n: 'invalid' });
    expect(passed).toEqual(['invalid']);
  });
});

const IDS = [1, 2, 3];
const cluster = (seed: number, folders: true | 'first starts support at once' = true): SimulatedCluster =>
  new SimulatedCluster({ algorithm: raft, ids: IDS, seed, folders });
const after = ({ time }: SimulatedCluster, ms: number): Promise<boolean> =>
  time.runUntil(time.nowMs + ms, () => false);
const leaders = (of: SimulatedCluster): number[] =>
  of.living.filter((id) => of.statusOf(id).role === 'leader');

test('members that start for the first time elect when each has been recorded by both others, and then need a majority only', async () => {
  const three = cluster(1);
  three.start(1);
  three.start(2);
  await after(three, 20_000);
  expect(three.living.map((id) => three.statusOf(id).state)).toEqual(['unrecorded', 'unrecorded']);
  three.start(3);
  await three.agree(10_000);
  three.crash(3);
  three.crash(2);
  three.start(2);
  await three.agree(10_000);
  expect(leaders(three)).toHaveLength(1);
});

test('a member that comes back with another folder takes no part, and the others go on', async () => {
  for (const seed of [1, 2, 3]) {
    const three = cluster(seed);
    three.startAll();
    await three.agree(10_000);
    const [lost, ...others] = IDS.filter((id) => !leaders(three).includes(id)).concat(leaders(three));
    three.crash(lost);
    three.loseDisk(lost);
    three.start(lost);
    await after(three, 20_000);
    expect(three.statusOf(lost)).toMatchObject({ state: 'unrecorded', hears: [], leader: null });
    for (const id of others) expect(three.statusOf(id).leader).toBe(others[1]);
  }
});

test('a mutant whose first starts support at once leads with a process that has forgotten its folder', async () => {
  // The leader and a follower that forgets, without the third: nobody refuses the new folder.
  const run = async (folders: true | 'first starts support at once'): Promise<number[]> => {
    const three = cluster(4, folders);
    three.startAll();
    await three.agree(10_000);
    const [leader] = leaders(three);
    const [forgetful, other] = IDS.filter((id) => id !== leader);
    three.crash(leader);
    three.crash(forgetful);
    three.loseDisk(forgetful);
    // The other one has recorded the folder; so has the leader. A member that was down knows nothing.
    three.crash(other);
    three.loseDisk(other);
    three.start(forgetful);
    three.start(other);
    await after(three, 20_000);
    return leaders(three);
  };
  expect(await run(true)).toEqual([]);
  expect(await run('first starts support at once')).toHaveLength(1);
});
