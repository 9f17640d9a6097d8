import { expect, test } from 'vitest';
import { registry } from '../../../study/src/algorithms/registry.ts';
import { checkMember } from '../../src/runtime/member-options.ts';
import { isEndless } from '../../src/view/overlay.ts';
import { replayCluster, violationsOf } from '../record/recorded-run.ts';
import { ALL_FAULTS, CRASH_FAULTS, eventsOf, faultRun, toleratesLoss } from './fault-run.ts';

const IDS = [3, 8, 12, 20, 41];

function canRun(algorithm: (typeof registry)[number]): boolean {
  // A Monte Carlo algorithm may elect two leaders, and does not find out.
  if (algorithm.assumes.mayErr) return false;
  try {
    checkMember({ algorithm, members: IDS, self: 3, unitMs: 1 } as never);
    return true;
  } catch {
    return false;
  }
}

for (const algorithm of registry.filter(canRun)) {
  test(`${algorithm.name}: 100 faults of all kinds, in runs of 20`, async () => {
    const all: number[] = [];
    for (let seed = 101; seed <= 105; seed++) {
      const { cluster, recoveryMs } = await faultRun({ algorithm, ids: IDS, seed }, ALL_FAULTS, 20);
      all.push(...recoveryMs);
      expect(eventsOf(cluster, 'handler-failed')).toEqual([]);
      if (toleratesLoss(algorithm) || !isEndless(algorithm))
        expect([seed, ...cluster.doublyLed()]).toEqual([seed]);
      expect([seed, ...violationsOf(replayCluster(cluster))]).toEqual([seed]);
    }
    all.sort((a, b) => a - b);
    const [median, p99] = [all[50], all[98]].map(Math.round);
    process.stdout.write(`${algorithm.name}: agreement after ${median} ms (median), ${p99} ms (99 in 100)\n`);
  });
}

for (const algorithm of registry.filter(isEndless)) {
  test(`${algorithm.name}: 100 crashes and restarts, never two leaders in one term`, async () => {
    for (let seed = 201; seed <= 205; seed++) {
      const { cluster } = await faultRun({ algorithm, ids: IDS, seed }, CRASH_FAULTS, 20);
      expect([seed, ...cluster.doublyLed()]).toEqual([seed]);
      const report = replayCluster(cluster);
      expect([seed, ...violationsOf(report), report.runs[0].outside]).toEqual([seed, null]);
    }
  });
}
