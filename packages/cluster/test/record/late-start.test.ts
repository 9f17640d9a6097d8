/**
 * A member that starts for the first time after the others have elected. To an algorithm that assumes bounded delays a node that
 * sleeps is one that answers in time. A process that does not run yet is none: it is one that has crashed.
 */
import { describe, expect, test } from 'vitest';
import { effort } from '../../../../test-kit/limits/effort.ts';
import { bully, changRoberts } from '../../../study/src/algorithms/index.ts';
import { registry } from '../../../study/src/algorithms/registry.ts';
import type { AnyAlgorithm } from '../../../study/src/kernel/algorithm.ts';
import { isEndless } from '../../src/view/overlay.ts';
import { BOUND_MS } from '../runtime/fault-run.ts';
import { SimulatedCluster } from '../simulated-cluster.ts';
import { replayCluster } from './recorded-run.ts';

const IDS = [3, 8, 12, 20, 41];

/** All members but `late` start at once, and that one after `delayMs`. */
async function lateRun(algorithm: AnyAlgorithm, late: number, delayMs: number): Promise<SimulatedCluster> {
  const cluster = new SimulatedCluster({ algorithm, ids: IDS, seed: delayMs });
  for (const id of IDS) if (id !== late) cluster.start(id);
  await cluster.time.runUntil(delayMs);
  cluster.start(late);
  await cluster.agree(BOUND_MS);
  return cluster;
}

/** A mutant: its first start is no recovery, because it has none. */
const { onRestart: _, ...sleeping }: AnyAlgorithm = bully;

/** What is tried: the late member, and when it starts. */
const LATE = effort<readonly (readonly [number, number])[]>({
  quick: [[41, 650]],
  full: IDS.flatMap((late) => [150, 400, 650, 1_500, 3_000].map((delayMs) => [late, delayMs] as const)),
});

describe('a member that starts late repeats no term that another has led', () => {
  for (const algorithm of registry.filter(isEndless)) {
    test(algorithm.name, async () => {
      for (const [late, delayMs] of LATE) {
        const cluster = await lateRun(algorithm, late, delayMs);
        expect(cluster.doublyLed(), `member ${late} after ${delayMs} ms`).toEqual([]);
        for (const run of replayCluster(cluster).runs)
          expect([run.violation, run.outside], `member ${late} after ${delayMs} ms`).toEqual([null, null]);
      }
    });
  }
});

test('a mutant that sleeps until its first start repeats one: the replay lists it apart, because a message came late', async () => {
  const cluster = await lateRun(sleeping, 41, 650);
  expect(cluster.doublyLed()).not.toEqual([]);
  const [run] = replayCluster(cluster).runs;
  expect(run).toMatchObject({ violation: null, outside: { property: 'uniqueness' } });
  expect(run.broken.lateMessages).toBeGreaterThan(0);
});

test('in epochs, a late member that hears nobody at first proposes no number that another has used', async () => {
  const cluster = new SimulatedCluster({ algorithm: changRoberts, ids: IDS, seed: 1 });
  const [late, ...others] = IDS;
  for (const id of others) {
    cluster.network.cut(late, id);
    cluster.network.cut(id, late);
    cluster.start(id);
  }
  await cluster.time.runUntil(3_000);
  cluster.start(late);
  await cluster.time.runUntil(6_000);
  expect(cluster.statusOf(late)).toMatchObject({ role: 'leader' });
  cluster.network.heal();
  await cluster.agree(BOUND_MS);
  expect(cluster.doublyLed()).toEqual([]);
});
