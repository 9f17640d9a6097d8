/**
 * The lease of a leader between members whose clocks differ, in virtual time; and mutants without one part of it. A vote that
 * leaves before it is on disk: ../record/replay.test.ts.
 */
import { describe, expect, test } from 'vitest';
import { raft } from '../../../study/src/algorithms/quorum/raft.ts';
import type { NodeSummary } from '../../../study/src/kernel/node-summary.ts';
import { replayCluster, violationsOf } from '../record/recorded-run.ts';
import { SimulatedCluster } from '../simulated-cluster.ts';
import { type LeaseReport, leaseRun } from './lease-run.ts';

const FAULTS = 40;

/** The clocks of members with odd ids are slow, the others fast. */
const rates = (spread: number) => (id: number) => 1 + (id % 2 === 0 ? spread : -spread) / 2;
/** The ratio of the rates is 1.099. */
const WITHIN_A_TENTH = rates(0.0944);

const run = (seed: number, ids: readonly number[]): Promise<LeaseReport> =>
  leaseRun({ algorithm: raft, ids, seed, set: HASTY, rateOf: WITHIN_A_TENTH }, FAULTS);

/** Elections begin soon after a promise has ended. */
const HASTY = { spread: 4 };

const THREE = [1, 2, 3];
const FIVE = [1, 2, 3, 4, 5];

test.each([
  [1, THREE],
  [3, FIVE],
])(
  'seed %i, members %j: no two lead at the same instant, none in the same term, and the recording replays',
  async (seed, ids) => {
    const { cluster, faults, ends, overlap, terms } = await run(seed, ids);
    process.stdout.write(
      `raft, seed ${seed}: ${faults.length} faults, ${terms} terms were led, ${ends} leads ended\n`,
    );
    expect(overlap).toBeNull();
    expect(cluster.doublyLed()).toEqual([]);
    expect(terms).toBeGreaterThan(5);
    expect(ends).toBeGreaterThan(5);
    expect(violationsOf(replayCluster(cluster))).toEqual([]);
  },
);

describe('mutants', () => {
  async function overlapOf(algorithm: typeof raft, ids = THREE): Promise<string | null> {
    for (let seed = 1; seed <= 8; seed++) {
      const { overlap } = await leaseRun(
        { algorithm, ids, seed, set: HASTY, rateOf: WITHIN_A_TENTH },
        FAULTS,
      );
      if (overlap !== null) return overlap;
    }
    return null;
  }

  test('a lease that is measured from the acknowledgement is caught', async () => {
    // Each new answer begins a round of its own.
    let rounds = 0;
    const before = new Map<number, string>();
    const standing: typeof raft.standing = (state, node): NodeSummary => {
      const right = raft.standing?.(state, node) as NodeSummary;
      const answers = `${right.term} ${state.yes.join()}`;
      if (before.get(node.id) !== answers) rounds++;
      before.set(node.id, answers);
      const hasMajority = (right.lease?.granted ?? 0) > 0;
      return {
        ...right,
        lease: right.lease && { ...right.lease, round: rounds, granted: hasMajority ? rounds : 0 },
      };
    };
    expect(await overlapOf({ ...raft, standing })).not.toBeNull();
  });

  test('a voter that promises nothing after a restart is caught', async () => {
    const forgetful: typeof raft = {
      ...raft,
      onRestart(state, ctx) {
        raft.onRestart?.(state, ctx);
        state.promised = false;
        ctx.clearTimer('promise');
      },
    };
    expect(await overlapOf(forgetful)).not.toBeNull();
  });

  test('a leader that counts no lease is caught', async () => {
    const standing: typeof raft.standing = (state, node) => ({
      ...(raft.standing?.(state, node) as NodeSummary),
      lease: null,
    });
    expect(await overlapOf({ ...raft, standing })).not.toBeNull();
  });

  test('a leader that leaves no margin is caught', async () => {
    const standing: typeof raft.standing = (state, node) => {
      const right = raft.standing?.(state, node) as NodeSummary;
      return { ...right, lease: right.lease && { ...right.lease, units: right.lease.units / 0.9 } };
    };
    // The clock of one member is slow, those of a majority are fast.
    expect(await overlapOf({ ...raft, standing }, [1, 2, 4])).not.toBeNull();
  });
});

test('a leader that steps down is no leader any more, and names none', async () => {
  const cluster = new SimulatedCluster({ algorithm: raft, ids: THREE, seed: 5 });
  cluster.startAll();
  await cluster.agree(10_000);
  const leader = THREE.find((id) => cluster.statusOf(id).role === 'leader') as number;
  const { leadsUntilMs, term } = cluster.statusOf(leader);
  expect(leadsUntilMs).toBeGreaterThan(cluster.time.nowMs);
  // 2T = 20 units of 50 ms, minus a tenth.
  expect(leadsUntilMs).toBeLessThan(cluster.time.nowMs + 900);
  for (const id of THREE) {
    cluster.network.cut(leader, id);
    cluster.network.cut(id, leader);
  }
  await cluster.time.runUntil(cluster.time.nowMs + 901);
  expect(cluster.statusOf(leader)).toMatchObject({
    role: null,
    leader: null,
    leadsUntilMs: null,
    leaseMs: 900,
    counts: { lapses: 1 },
  });
  expect(cluster.statusOf(leader).term).toBeGreaterThanOrEqual(term);
});

test('a leader that was stopped for a lease does not lead at its first look at the clock', async () => {
  const cluster = new SimulatedCluster({ algorithm: raft, ids: THREE, seed: 6 });
  cluster.startAll();
  await cluster.agree(10_000);
  const leader = THREE.find((id) => cluster.statusOf(id).role === 'leader') as number;
  cluster.pause(leader);
  await cluster.time.runUntil(cluster.time.nowMs + 901);
  // Before a late timer has run.
  expect(cluster.statusOf(leader)).toMatchObject({ role: null, leader: null });
});

test('without the lease or without check quorum nothing proves a lead', async () => {
  for (const set of [{ lease: false }, { checkQuorum: false }]) {
    const cluster = new SimulatedCluster({ algorithm: raft, ids: THREE, seed: 7, set });
    cluster.startAll();
    await cluster.agree(10_000);
    for (const id of THREE) expect(cluster.statusOf(id)).toMatchObject({ leaseMs: null, leadsUntilMs: null });
  }
});

test('a member that resigns stops leading at once, and the next leader has a larger term', async () => {
  const cluster = new SimulatedCluster({ algorithm: raft, ids: THREE, seed: 8 });
  cluster.startAll();
  await cluster.agree(10_000);
  const leader = THREE.find((id) => cluster.statusOf(id).role === 'leader') as number;
  const { term } = cluster.statusOf(leader);
  cluster.processes.get(leader)?.runtime.restart();
  expect(cluster.statusOf(leader)).toMatchObject({ role: null, leader: null });
  await cluster.agree(10_000);
  expect(cluster.statusOf(leader).term).toBeGreaterThan(term);
  expect(violationsOf(replayCluster(cluster))).toEqual([]);
});

test('terms begin above those that were used before, also after a restart of all', async () => {
  const cluster = new SimulatedCluster({ algorithm: raft, ids: THREE, seed: 9, firstTerm: 41 });
  cluster.startAll();
  // Before anything is on disk.
  cluster.crash(1);
  cluster.start(1);
  await cluster.agree(10_000);
  const { term } = cluster.statusOf(1);
  expect(term).toBeGreaterThan(41);
  for (const id of THREE) cluster.crash(id);
  cluster.startAll();
  await cluster.agree(10_000);
  expect(cluster.statusOf(1).term).toBeGreaterThan(term);
  expect(violationsOf(replayCluster(cluster))).toEqual([]);
});
