/** Where a law gives an exact count in every schedule, the messages of a run in the cluster equal it to the digit. */
import { expect, test } from 'vitest';
import { registry } from '../../../study/src/algorithms/registry.ts';
import type { AnyAlgorithm } from '../../../study/src/kernel/algorithm.ts';
import { MessageCodec } from '../../../study/src/kernel/machine/message-codec.ts';
import { exactCounts } from '../../src/record/run-laws.ts';
import type { RecordedLaw } from '../../src/record/run-report.ts';
import { checkMember } from '../../src/runtime/member-options.ts';
import { isEndless, overlaySetup } from '../../src/view/overlay.ts';
import { SimulatedCluster } from '../simulated-cluster.ts';

const IDS = [3, 8, 12, 20, 41];

function runsInEpochs(algorithm: AnyAlgorithm): boolean {
  if (isEndless(algorithm)) return false;
  try {
    checkMember({ algorithm, members: IDS, self: 3, unitMs: 1 } as never);
    return true;
  } catch {
    return false;
  }
}

/** The laws that apply whatever the delays are, beside the messages that were sent, by type. */
function exactLaws(algorithm: AnyAlgorithm, sent: ReadonlyMap<string, number> = new Map()): RecordedLaw[] {
  const setup = overlaySetup(algorithm, IDS, {}, null);
  if (setup === null) throw new Error('no overlay');
  const codec = new MessageCodec(algorithm.name, algorithm.messages);
  return exactCounts(setup, codec.counts(codec.types.map((type) => sent.get(type) ?? 0)));
}

const lawful = registry.filter(runsInEpochs).filter((algorithm) => exactLaws(algorithm).length > 0);

test('some algorithms of the catalogue have such a law', () => {
  expect(lawful.map(({ name }) => name)).toContain('lelann');
  expect(lawful.length).toBeGreaterThanOrEqual(5);
});

for (const algorithm of lawful) {
  const laws = exactLaws(algorithm);
  test(`${algorithm.name}: ${laws.map(({ formula, value }) => `${formula} = ${value}`).join(', ')}`, async () => {
    const cluster = new SimulatedCluster({ algorithm, ids: IDS, seed: 1 });
    cluster.startAll();
    await cluster.agree(60_000);
    const epoch = cluster.statusOf(3).term;
    const sent = new Map<string, number>();
    for (const { frame } of cluster.network.sent) {
      const { type } = (frame.body ?? {}) as { type: string };
      if (frame.epoch === epoch) sent.set(type, (sent.get(type) ?? 0) + 1);
    }
    const counted = exactLaws(algorithm, sent).map(({ formula, recorded }) => [formula, recorded]);
    expect(counted).toEqual(laws.map(({ formula, value }) => [formula, value]));
  });
}
