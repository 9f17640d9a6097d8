/** Real processes under faults: agreement within the bound, one leader at a time where a majority is needed, clean recordings. */
import { describe, expect, test, vi } from 'vitest';
import { Random } from '../../../study/src/kernel/random.ts';
import { FAULTED, faultsOf, takesGate } from './electable.ts';
import { type LeadSample, ledAtOnce, ledIn } from './evidence.ts';
import { faultPlan } from './fault.ts';
import { runFaults } from './fault-run.ts';
import { ProcessCluster } from './process-cluster.ts';
import { replayQueue } from './replay-queue.ts';
import { report } from './run-text.ts';
import { slots } from './slots.ts';

/** The number of faults for each algorithm. All together draw from one deck, so that every kind occurs. */
const FAULTS = 3;
const seed = Number(process.env.HUSTINGS_CLUSTER_SEED ?? Date.now() % 1_000_000);

const replay = replayQueue();
const inSlot = slots(3);

test.concurrent('without a majority the same checks find two leaders, one of them in a minority', async () => {
  const cluster = await ProcessCluster.start({
    args: ['--algorithm', 'bully', '--heartbeat', '50ms'],
    random: new Random(seed),
    ids: [3, 8, 12],
  });
  try {
    await vi.waitUntil(() => cluster.statusOf(3)?.leader === 12, { timeout: 30_000 });
    const cutMs = performance.now();
    for (const id of [3, 8]) cluster.network.cut(12, id);
    // Two may lead at once before the cut as well, while they start.
    const since = (): LeadSample[] => cluster.leads.filter(({ sentMs }) => sentMs >= cutMs);
    await vi.waitUntil(() => ledAtOnce(since()).length > 0, { timeout: 30_000 });
    expect(ledIn([12], cutMs, performance.now(), cluster.leads)).toHaveLength(1);
  } finally {
    await cluster.close();
  }
}, 60_000);

test.concurrent.each(['bully', 'raft'])(
  '%s: a minority that gets a list in which it is a majority has no leader',
  async (algorithm) => {
    const plan = { algorithm, quorum: algorithm === 'bully', seed, kinds: ['half list'] as const, replay };
    const run = await inSlot(() => runFaults(plan));
    expect(run.wrongs).toEqual([]);
    expect(run.faults[0]).toContain('with a list of');
  },
  180_000,
);

describe('five processes agree within the bound after each fault and each heal', () => {
  for (const [place, algorithm] of FAULTED.entries()) {
    test.concurrent(algorithm.name, async () => {
      const kinds = faultPlan(seed, FAULTS, place * FAULTS, faultsOf(algorithm));
      const quorum = takesGate(algorithm);
      const plan = { algorithm: algorithm.name, quorum, seed, kinds, replay };
      const run = await inSlot(() => runFaults(plan));
      report(algorithm.name, seed, run);
      const again = `HUSTINGS_CLUSTER_SEED=${seed} npx vitest run packages/cluster/test/processes/faults.test.ts -t ${algorithm.name}`;
      expect(run.wrongs, again).toEqual([]);
      expect(run.faults).toHaveLength(FAULTS);
      expect(run.leaders, 'a run without a leader proves nothing').toBeGreaterThan(0);
    }, 180_000);
  }
});

describe('a member that has lost its folder takes no part until it has it again, and with ephemeral folders by itself', () => {
  for (const name of ['raft', 'bully'])
    for (const isEphemeral of [false, true])
      test.concurrent(`${name}, ${isEphemeral ? 'ephemeral' : 'kept'}`, async () => {
        const kinds = ['lost folder', 'restart of one', 'lost folder'] as const;
        const plan = { algorithm: name, quorum: name === 'bully', isEphemeral, seed, kinds, replay };
        const run = await inSlot(() => runFaults(plan));
        report(name, seed, run);
        expect(run.wrongs).toEqual([]);
        expect(run.leaders).toBeGreaterThan(0);
      }, 180_000);
});
