/** Members of raft whose disks do not last, in virtual time. The rules as a model: ../folder/recovery-model.test.ts. */
import { describe, expect, test } from 'vitest';
import { raft } from '../../../study/src/algorithms/quorum/raft.ts';
import { replayCluster, violationsOf } from '../record/recorded-run.ts';
import { type ClusterOptions, SimulatedCluster, UNIT_MS } from '../simulated-cluster.ts';
import { type LeaseReport, leaseRun } from './lease-run.ts';

const THREE = [1, 2, 3];
const FIVE = [1, 2, 3, 4, 5];
/** T of raft: 10 units. */
const TIMEOUT_MS = 10 * UNIT_MS;

const cluster = (seed: number, ids = THREE, more: Partial<ClusterOptions> = {}): SimulatedCluster =>
  new SimulatedCluster({ algorithm: raft, ids, seed, ephemeral: true, ...more });
const leaderOf = (of: SimulatedCluster): number =>
  of.living.find((id) => of.statusOf(id).role === 'leader') as number;
const after = ({ time }: SimulatedCluster, ms: number): Promise<boolean> => time.runUntil(time.nowMs + ms);
const until = ({ time }: SimulatedCluster, isDone: () => boolean): Promise<boolean> =>
  time.runUntil(time.nowMs + 20_000, isDone);

function forget(of: SimulatedCluster, id: number): void {
  of.crash(id);
  of.loseDisk(id);
  of.start(id);
}

test('a first start elects when all members are there, and no sooner', async () => {
  const three = cluster(1);
  three.start(1);
  three.start(2);
  await after(three, 20_000);
  expect(three.living.map((id) => three.statusOf(id).state)).toEqual(['recovering', 'recovering']);
  three.start(3);
  await three.agree(10_000);
  expect(violationsOf(replayCluster(three))).toEqual([]);
});

test('a follower that has forgotten follows the same leader in the same term', async () => {
  for (const seed of [1, 2, 3]) {
    const three = cluster(seed);
    three.startAll();
    await three.agree(10_000);
    const leader = leaderOf(three);
    const { term } = three.statusOf(leader);
    for (const id of THREE)
      if (id !== leader) {
        forget(three, id);
        await three.agree(10_000);
        expect(three.statusOf(id)).toMatchObject({ leader, term });
      }
    expect(violationsOf(replayCluster(three))).toEqual([]);
  }
});

test('members that forget one after the other go on, in terms that rise', async () => {
  const three = cluster(4);
  three.startAll();
  let term = 0;
  for (const id of [...THREE, ...THREE]) {
    await three.agree(10_000);
    const next = three.statusOf(leaderOf(three)).term;
    expect(next).toBeGreaterThanOrEqual(term);
    term = next;
    forget(three, id);
  }
  await three.agree(10_000);
  expect(three.doublyLed()).toEqual([]);
  expect(violationsOf(replayCluster(three))).toEqual([]);
});

test('two of three members that forget at once go on when all have answered', async () => {
  const three = cluster(5);
  three.startAll();
  await three.agree(10_000);
  const followers = THREE.filter((id) => id !== leaderOf(three));
  for (const id of followers) three.crash(id);
  for (const id of followers) forget(three, id);
  await three.agree(10_000);
});

describe('random faults', () => {
  const rateOf = (id: number): number => 1 + (id % 2 === 0 ? 0.0472 : -0.0472);
  const run = (seed: number, ids: readonly number[]): Promise<LeaseReport> =>
    leaseRun({ algorithm: raft, ids, seed, set: { spread: 4 }, rateOf, ephemeral: true }, 40);

  test.each([
    [1, THREE],
    [2, THREE],
    [3, FIVE],
  ])(
    'seed %i, members %j: no two lead at once, none in the same term, and the recording replays',
    async (seed, ids) => {
      const { cluster, overlap, terms } = await run(seed, ids);
      expect(overlap).toBeNull();
      expect(cluster.doublyLed()).toEqual([]);
      expect(terms).toBeGreaterThan(3);
      expect(violationsOf(replayCluster(cluster))).toEqual([]);
    },
  );
});

/**
 * A candidate is stopped with the vote of a member that then forgets it. Another vote arrives while the candidate stands still,
 * from a member that had told the forgetful one that it knows of no such term.
 */
async function forgottenVote(ephemeral: ClusterOptions['ephemeral']): Promise<string[]> {
  const five = cluster(7, FIVE, { ephemeral });
  const { network, processes } = five;
  const fieldsOf = (id: number): Readonly<Record<string, unknown>> => processes.get(id)?.runtime.fields ?? {};
  const cut = (ids: readonly number[], others: readonly number[]): void => {
    for (const a of ids)
      for (const b of others)
        if (a !== b) {
          network.cut(a, b);
          network.cut(b, a);
        }
  };
  five.startAll();
  await five.agree(20_000);
  const first = leaderOf(five);
  // It is not a candidate for a while, and votes again when its promise has ended.
  processes.get(first)?.runtime.restart();
  await until(five, () => FIVE.some((id) => fieldsOf(id).role === 'candidate'));
  const candidate = FIVE.find((id) => fieldsOf(id).role === 'candidate') as number;
  const term = fieldsOf(candidate).term;
  const [forgetful, late, ...rest] = FIVE.filter((id) => id !== candidate);
  cut([candidate], [late, ...rest]);
  cut([late, ...rest], [late, ...rest]);
  await until(five, () => (fieldsOf(candidate).yes as number[]).some((round) => round > 0));
  five.pause(candidate);
  cut([candidate], [forgetful]);
  forget(five, forgetful);
  await until(five, () => five.statusOf(forgetful).state === 'running');
  network.heal();
  cut([candidate], [forgetful, ...rest]);
  cut([late], [forgetful, ...rest]);
  await until(five, () => fieldsOf(late).votedFor === candidate);
  await after(five, UNIT_MS);
  const led = new Set<string>();
  const look = (): boolean => {
    for (const id of FIVE) if (fieldsOf(id).role === 'leader') led.add(`${id} in ${fieldsOf(id).term}`);
    return false;
  };
  five.resume(candidate);
  await five.time.runUntil(five.time.nowMs + 12 * TIMEOUT_MS, look);
  return [...led].filter((one) => one.endsWith(` in ${term}`));
}

test('a candidate that stood still does not count a vote that may have been forgotten since', async () => {
  expect((await forgottenVote(true)).length).toBeLessThan(2);
});

test('a mutant that counts such a vote gives two leaders of one term', async () => {
  expect(await forgottenVote('counts old votes')).toHaveLength(2);
});
