import { describe, expect, test } from 'vitest';
import { registry } from '../../../study/src/algorithms/registry.ts';
import { isEndless } from '../../src/view/overlay.ts';
import { ALL_FAULTS, CRASH_FAULTS, eventsOf, faultRun, toleratesLoss } from './fault-run.ts';

const IDS = [3, 8, 12, 20, 41];

describe('random faults, then agreement within the bound after each heal', () => {
  for (const algorithm of registry.filter(isEndless)) {
    test(algorithm.name, async () => {
      for (const seed of [11]) {
        const { cluster, faults, recoveryMs } = await faultRun({ algorithm, ids: IDS, seed }, ALL_FAULTS, 8);
        process.stdout.write(
          `${algorithm.name}, seed ${seed}: recovered in ${Math.max(...recoveryMs)} ms at most\n`,
        );
        expect(eventsOf(cluster, 'handler-failed')).toEqual([]);
        if (toleratesLoss(algorithm)) expect([faults, cluster.doublyLed()]).toEqual([faults, []]);
      }
    });

    test(`${algorithm.name}: never two leaders in one term while its assumptions hold`, async () => {
      const { cluster, faults } = await faultRun({ algorithm, ids: IDS, seed: 21 }, CRASH_FAULTS, 4);
      expect([faults, cluster.doublyLed()]).toEqual([faults, []]);
    });
  }

  test.each([
    ['ring-list', 2],
    ['ring-list', 25],
    ['ring-max', 10],
    ['sun', 21],
  ])(
    '%s, seed %i: a member that was suspected during an election is not passed over for good',
    async (name, seed) => {
      const algorithm = registry.find((one) => one.name === name);
      if (algorithm === undefined) throw new Error(`no algorithm ${name}`);
      await faultRun({ algorithm, ids: IDS, seed }, ['slow links', 'pause', 'one-way cut', 'cut'], 20);
    },
  );

  for (const name of ['chang-roberts', 'dolev-klawe-rodeh', 'ghs', 'tree-election', 'itai-rodeh']) {
    test(`${name}, in epochs`, async () => {
      const algorithm = registry.find((one) => one.name === name);
      if (algorithm === undefined) throw new Error(`no algorithm ${name}`);
      const { cluster, recoveryMs } = await faultRun({ algorithm, ids: IDS, seed: 31 }, ALL_FAULTS, 5);
      process.stdout.write(`${name}: recovered in ${Math.max(...recoveryMs)} ms at most\n`);
      expect(eventsOf(cluster, 'handler-failed')).toEqual([]);
    });
  }
});
