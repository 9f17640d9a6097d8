/**
 * Mutants of the runtime: each leaves out one of its guarantees, and is caught by the checks that the right one passes.
 * That the recording alone shows them: ../record/replay.test.ts.
 */
import { describe, expect, test } from 'vitest';
import { raft } from '../../../study/src/algorithms/quorum/raft.ts';
import { dolevKlaweRodeh } from '../../../study/src/algorithms/ring/dolev-klawe-rodeh.ts';
import { leLann } from '../../../study/src/algorithms/ring/lelann.ts';
import { dropsEpochs, ignoresOrder } from '../mutant-transports.ts';
import { replayCluster, violationsOf } from '../record/recorded-run.ts';
import { disturb } from '../restless-member.ts';
import { type ClusterOptions, SimulatedCluster } from '../simulated-cluster.ts';
import { BOUND_MS, eventsOf } from './fault-run.ts';

const IDS = [3, 8, 12, 20, 41];

/** What is wrong after an election among all and another one after a crash in the middle of a third; null if nothing is. */
async function flawOf(options: ClusterOptions): Promise<string | null> {
  const cluster = new SimulatedCluster(options);
  const flaw = await liveFlaw(cluster);
  return flaw ?? violationsOf(replayCluster(cluster))[0]?.text ?? null;
}

async function liveFlaw(cluster: SimulatedCluster): Promise<string | null> {
  cluster.startAll();
  try {
    await cluster.agree(BOUND_MS);
    await disturb(cluster, IDS, 41);
    cluster.crash(41);
    await cluster.time.runUntil(cluster.time.nowMs + 1_000);
    cluster.network.heal();
    await cluster.agree(BOUND_MS);
  } catch (error) {
    return (error as Error).message;
  }
  const refused = cluster.events.find(({ event }) => event.type === 'refused');
  if (refused !== undefined) return JSON.stringify(refused.event);
  if (eventsOf(cluster, 'handler-failed').length > 0) return 'a handler failed';
  return cluster.doublyLed()[0] ?? null;
}

async function caught(options: Omit<ClusterOptions, 'seed' | 'ids'>, seeds: number): Promise<string | null> {
  for (let seed = 1; seed <= seeds; seed++) {
    const flaw = await flawOf({ ...options, ids: IDS, seed });
    if (flaw !== null) return flaw;
  }
  return null;
}

describe('epochs', () => {
  test('the right runtime passes', async () => {
    expect(await caught({ algorithm: leLann }, 2)).toBeNull();
  });

  test('a mutant that accepts messages of other epochs is caught', async () => {
    expect(await caught({ algorithm: leLann, mutate: dropsEpochs }, 8)).not.toBeNull();
  });
});

describe('order', () => {
  test('the right runtime passes', async () => {
    expect(await caught({ algorithm: dolevKlaweRodeh }, 2)).toBeNull();
  });

  test('a mutant that ignores the order of messages is caught', async () => {
    expect(await caught({ algorithm: dolevKlaweRodeh, mutate: ignoresOrder }, 8)).not.toBeNull();
  });
});

describe('sync', () => {
  /** Votes that left before the disk of the voter had them. */
  async function earlyVotes(isLying: boolean): Promise<{ votes: number; early: number }> {
    let [votes, early] = [0, 0];
    for (const seed of [1, 2, 3]) {
      const cluster: SimulatedCluster = new SimulatedCluster({
        algorithm: raft,
        ids: IDS,
        seed,
        mutate: (transport, runtime) => ({
          open: (events) => transport.open(events),
          reset: (to) => transport.reset(to),
          close: () => transport.close(),
          send: (to, frame) => {
            const body = frame.body as { type: string; granted?: boolean; term: number };
            if (frame.type === 'message' && body.type === 'vote' && body.granted === true) {
              votes++;
              const saved = cluster.disks.get(runtime().status.id)?.record?.durable;
              if (saved?.term !== body.term || saved.votedFor !== to) early++;
            }
            transport.send(to, frame);
          },
        }),
      });
      for (const disk of cluster.disks.values()) disk.isLying = isLying;
      cluster.startAll();
      await cluster.agree(BOUND_MS);
    }
    return { votes, early };
  }

  test('the right runtime has every vote on disk before it leaves', async () => {
    const { early, votes } = await earlyVotes(false);
    expect(votes).toBeGreaterThanOrEqual(6);
    expect(early).toBe(0);
  });

  test('a mutant that sends before the sync is caught', async () => {
    expect((await earlyVotes(true)).early).toBeGreaterThan(0);
  });
});
