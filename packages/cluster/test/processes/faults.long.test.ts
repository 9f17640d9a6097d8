/** 100 faults of all kinds for each algorithm, in runs of 20, two clusters at a time unless HUSTINGS_CLUSTER_SLOTS says otherwise. */
import { expect, test } from 'vitest';
import { FAULTED, faultsOf, takesGate } from './electable.ts';
import { faultPlan } from './fault.ts';
import { runFaults } from './fault-run.ts';
import { replayQueue } from './replay-queue.ts';
import { report } from './run-text.ts';
import { slots } from './slots.ts';

const RUNS = Number(process.env.HUSTINGS_CLUSTER_RUNS ?? 5);
const FAULTS = 20;
const firstSeed = Number(process.env.HUSTINGS_CLUSTER_SEED ?? 1);

const replay = replayQueue();
const inSlot = slots(Number(process.env.HUSTINGS_CLUSTER_SLOTS ?? 2));

/** In the second mode folders do not last, where a majority is counted. */
const MODES = FAULTED.flatMap((algorithm) => [
  { algorithm, isEphemeral: false },
  ...(['raft', 'bully'].includes(algorithm.name) ? [{ algorithm, isEphemeral: true }] : []),
]);

for (const { algorithm, isEphemeral } of MODES) {
  test.concurrent(
    `${algorithm.name}${isEphemeral ? ' with ephemeral folders' : ''}: ${RUNS * FAULTS} faults`,
    async () => {
      const wrongs: string[] = [];
      for (let seed = firstSeed; seed < firstSeed + RUNS; seed++) {
        const kinds = faultPlan(seed, FAULTS, 0, faultsOf(algorithm));
        const quorum = takesGate(algorithm);
        const plan = { algorithm: algorithm.name, quorum, isEphemeral, seed, kinds, replay };
        const run = await inSlot(() => runFaults(plan));
        report(algorithm.name, seed, run);
        wrongs.push(...run.wrongs.map((wrong) => `seed ${seed}: ${wrong}`));
      }
      expect(wrongs).toEqual([]);
    },
    RUNS * 1_800_000,
  );
}
