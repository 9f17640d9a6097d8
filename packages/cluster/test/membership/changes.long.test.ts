import { expect, test } from 'vitest';
import { replayCluster, violationsOf } from '../record/recorded-run.ts';
import { changingRun } from './changing-cluster.ts';

const SEEDS = 100;

test(`${SEEDS} seeds of random changes, crashes and cuts: one leader in each term`, {
  timeout: 3_600_000,
}, async () => {
  let changes = 0;
  for (let seed = 100; seed < 100 + SEEDS; seed++) {
    const { cluster, committed } = await changingRun(seed, 30);
    changes += committed.size;
    expect(cluster.doublyLed(), `seed ${seed}`).toEqual([]);
    expect(violationsOf(replayCluster(cluster)), `seed ${seed}`).toEqual([]);
  }
  process.stdout.write(`${SEEDS} seeds, ${changes} lists committed\n`);
  expect(changes).toBeGreaterThan(SEEDS);
});
