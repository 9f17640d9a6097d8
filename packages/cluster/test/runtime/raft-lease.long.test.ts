/** The lease of a leader in many runs, each with its own faults and clock rates. */
import { expect, test } from 'vitest';
import { raft } from '../../../study/src/algorithms/quorum/raft.ts';
import { replayCluster, violationsOf } from '../record/recorded-run.ts';
import { leaseRun } from './lease-run.ts';

test('150 runs with 40 faults: no two members lead at the same instant, and every recording replays', async () => {
  let [terms, ends] = [0, 0];
  for (let seed = 100; seed < 250; seed++) {
    const ids = [1, 2, 3, 4, 5].slice(0, 3 + (seed % 3));
    // The ratio of two rates is less than 1.1.
    const rateOf = (id: number): number => 0.953 + ((id * seed) % 10) * 0.0104;
    const report = await leaseRun({ algorithm: raft, ids, seed, set: { spread: 4 }, rateOf }, 40);
    expect([seed, report.overlap, report.cluster.doublyLed()]).toEqual([seed, null, []]);
    expect([seed, violationsOf(replayCluster(report.cluster))]).toEqual([seed, []]);
    terms += report.terms;
    ends += report.ends;
  }
  process.stdout.write(`raft: ${terms} terms were led, ${ends} leads ended\n`);
}, 1_800_000);
