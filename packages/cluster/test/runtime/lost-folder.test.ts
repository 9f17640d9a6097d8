/**
 * A member that lost its folder and starts again under its id, in virtual time: the steps that give two leaders if a first start
 * promises nothing. Between real processes: the fault 'lost folder' of ../processes.
 */
import { expect, test } from 'vitest';
import { raft } from '../../../study/src/algorithms/quorum/raft.ts';
import type { AnyAlgorithm } from '../../../study/src/kernel/algorithm.ts';
import { replayCluster, violationsOf } from '../record/recorded-run.ts';
import { SimulatedCluster, UNIT_MS } from '../simulated-cluster.ts';

/** T of raft: 10 units. */
const TIMEOUT_MS = 10 * UNIT_MS;
const IDS = [1, 2, 3];

interface LossReport {
  readonly cluster: SimulatedCluster;
  /** When the old leader and a new one led at the same instant; null if they never did. */
  readonly overlapMs: number | null;
  /** Whether another member led in the end. */
  readonly hasNewLeader: boolean;
}

/**
 * The leader is cut from one follower until that one's own promise has ended. The other follower, which has just answered the leader,
 * ends, is cut from the leader as well, loses its folder and starts again.
 */
async function loseFolder(algorithm: AnyAlgorithm, seed: number): Promise<LossReport> {
  const cluster = new SimulatedCluster({ algorithm, ids: IDS, seed, set: { spread: 0 } });
  const { network, time } = cluster;
  const after = (ms: number, isOver: () => boolean = () => false): Promise<boolean> =>
    time.runUntil(time.nowMs + ms, isOver);
  // The election timeout is the same at all: they start at different times.
  for (const id of IDS) {
    cluster.start(id);
    await after(TIMEOUT_MS / 3);
  }
  await cluster.agree(30_000);
  const leads = (id: number): boolean => cluster.statusOf(id).role === 'leader';
  const leader = IDS.find(leads) as number;
  const [cutOff, forgetful] = IDS.filter((id) => id !== leader);
  const cut = (id: number): void => {
    network.cut(leader, id);
    network.cut(id, leader);
  };
  cut(cutOff);
  await after(2.7 * TIMEOUT_MS);
  cluster.crash(forgetful);
  cut(forgetful);
  cluster.loseDisk(forgetful);
  cluster.start(forgetful);
  let overlapMs: number | null = null;
  const look = (): boolean => {
    if (leads(leader) && (leads(cutOff) || leads(forgetful))) overlapMs ??= time.nowMs;
    return overlapMs !== null;
  };
  await after(12 * TIMEOUT_MS, look);
  return { cluster, overlapMs, hasNewLeader: leads(cutOff) || leads(forgetful) };
}

const SEEDS = [1, 2, 3, 4, 5];

test.each(SEEDS)(
  'seed %i: a member that lost its folder supports no other leader before the old one has stopped',
  async (seed) => {
    const { cluster, hasNewLeader, overlapMs } = await loseFolder(raft, seed);
    expect(overlapMs).toBeNull();
    expect(hasNewLeader).toBe(true);
    expect(cluster.doublyLed()).toEqual([]);
  },
);

test('a mutant whose recovery promises nothing is caught', async () => {
  const forgetful: typeof raft = {
    ...raft,
    onRestart(state, ctx) {
      raft.onRestart?.(state, ctx);
      state.promised = false;
      ctx.clearTimer('promise');
    },
  };
  const overlaps = [];
  for (const seed of SEEDS) overlaps.push((await loseFolder(forgetful, seed)).overlapMs);
  expect(overlaps.some((ms) => ms !== null)).toBe(true);
});

test('the first starts of all members promise, and their recording replays', async () => {
  const cluster = new SimulatedCluster({ algorithm: raft, ids: IDS, seed: 6 });
  cluster.startAll();
  // A promise lasts 2T, an election timeout at most 2T and the spread of 20 units.
  await cluster.agree(6 * TIMEOUT_MS);
  expect(violationsOf(replayCluster(cluster))).toEqual([]);
});
