/** A member that starts for the first time after the others have elected without it breaks the delays that an algorithm assumes. */
import { expect, test } from 'vitest';
import { bully } from '../../../src/algorithms/index.ts';
import { BOUND_MS } from '../runtime/fault-run.ts';
import { SimulatedCluster } from '../simulated-cluster.ts';
import { replayCluster } from './recorded-run.ts';

test('two leaders of one term after a late start are listed apart, and are no violation', async () => {
  const cluster = new SimulatedCluster({ algorithm: bully, ids: [3, 8, 12, 20, 41], seed: 1 });
  for (const id of [3, 8, 12, 20]) cluster.start(id);
  await cluster.time.runUntil(650);
  cluster.start(41);
  await cluster.agree(BOUND_MS);
  const [run] = replayCluster(cluster).runs;
  expect(run).toMatchObject({ violation: null, outside: { property: 'uniqueness' } });
  expect(run.broken.lateMessages).toBeGreaterThan(0);
});
