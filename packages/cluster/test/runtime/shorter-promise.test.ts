/** Members that are started again with shorter durations, while the leader still counts on their earlier promises. */
import { expect, test } from 'vitest';
import { raft } from '../../../study/src/algorithms/quorum/raft.ts';
import { SimulatedCluster, UNIT_MS } from '../simulated-cluster.ts';

const LONG = 10 * UNIT_MS;
/** 2T by default. */
const PROMISE_UNITS = 20;

/** How long two members lead at the same time, and whether another one leads at last. */
async function overlapOf(
  seed: number,
  forgets: boolean,
): Promise<{ overlapMs: number; isReplaced: boolean }> {
  let unitMs = LONG;
  const cluster = new SimulatedCluster({ algorithm: raft, ids: [1, 2, 3], seed, unitMsOf: () => unitMs });
  cluster.startAll();
  await cluster.agree(200_000);
  const leads = (): number[] => cluster.living.filter((id) => cluster.statusOf(id).role === 'leader');
  const [leader] = leads();
  const followers = cluster.living.filter((id) => id !== leader);
  unitMs = UNIT_MS;
  for (const id of followers) {
    cluster.crash(id);
    cluster.network.cut(leader, id);
    cluster.network.cut(id, leader);
    const disk = cluster.disks.get(id);
    if (forgets && disk?.record) disk.record = { ...disk.record, promiseMs: 0 };
    cluster.start(id);
  }
  const fromMs = cluster.time.nowMs;
  let overlapMs = 0;
  while (cluster.time.nowMs < fromMs + 3 * PROMISE_UNITS * LONG) {
    await cluster.time.runUntil(cluster.time.nowMs + 10);
    if (leads().length > 1) overlapMs += 10;
  }
  return { overlapMs, isReplaced: leads().length === 1 && leads()[0] !== leader };
}

test.each([1, 2])('seed %i: they keep the longer promise, and lead after it', async (seed) => {
  expect(await overlapOf(seed, false)).toEqual({ overlapMs: 0, isReplaced: true });
});

test('members that keep no duration on disk lead beside the old leader', async () => {
  expect((await overlapOf(1, true)).overlapMs).toBeGreaterThan(1_000);
});
