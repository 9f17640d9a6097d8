import { expect, test } from 'vitest';
import { replayCluster, violationsOf } from '../record/recorded-run.ts';
import { changingRun } from './changing-cluster.ts';

test.each([1, 2])(
  'random changes, crashes and cuts, seed %i: one leader in each term, and the recording replays',
  {
    timeout: 60_000,
  },
  async (seed) => {
    const { cluster, committed, members, proposed } = await changingRun(seed, 10);
    process.stdout.write(
      `seed ${seed}: ${proposed} changes proposed, versions ${[...committed]} committed, last ${members}\n`,
    );
    expect(proposed).toBeGreaterThan(4);
    expect(committed.size).toBeGreaterThan(2);
    expect(cluster.doublyLed()).toEqual([]);
    const report = replayCluster(cluster);
    expect(violationsOf(report)).toEqual([]);
    expect(report.runs.length).toBeGreaterThan(2);
  },
);
