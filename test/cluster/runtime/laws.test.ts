/** Where a law gives an exact count in every schedule, the messages of a run in the cluster equal it to the digit. */
import { expect, test } from 'vitest';
import { registry } from '../../../src/algorithms/registry.ts';
import { checkMember } from '../../../src/cluster/runtime/member-options.ts';
import { isEndless, overlaySetup } from '../../../src/cluster/view/overlay.ts';
import type { AnyAlgorithm } from '../../../src/kernel/algorithm.ts';
import { type Law, lawValue, type RunFacts } from '../../../src/kernel/law.ts';
import { MessageCodec } from '../../../src/kernel/machine/message-codec.ts';
import { SimulatedCluster } from '../simulated-cluster.ts';

const IDS = [3, 8, 12, 20, 41];

/** The facts of an epoch: all members start, each when it enters the epoch; links keep the order; delays are not equal. */
function factsOf(algorithm: AnyAlgorithm): RunFacts {
  const setup = overlaySetup(algorithm, IDS, {}, null);
  if (setup === null) throw new Error('no overlay');
  const n = IDS.length;
  return {
    n,
    k: n,
    m: setup.topology.edges,
    ids: setup.ids,
    initiators: Int32Array.from(IDS.keys()),
    wakeTimes: Float64Array.from(IDS.keys()),
    order: 'ascending',
    lockstep: false,
    fifo: true,
    faultless: false,
    dead: [],
    crashes: [],
    recoveries: [],
    boundedDelay: true,
    D: null,
    params: setup.params,
  };
}

function isCount({ kind, measure }: Law): boolean {
  return (
    kind === 'exact' && (measure === 'election' || measure === 'announcement' || typeof measure === 'object')
  );
}

function runsInEpochs(algorithm: AnyAlgorithm): boolean {
  if (isEndless(algorithm)) return false;
  try {
    checkMember({ algorithm, members: IDS, self: 3, unitMs: 1 } as never);
    return true;
  } catch {
    return false;
  }
}

/** The laws that apply whatever the delays are. */
function exactLaws(algorithm: AnyAlgorithm): { law: Law; value: number }[] {
  const facts = factsOf(algorithm);
  return algorithm.laws.filter(isCount).flatMap((law) => {
    const value = lawValue(law, facts);
    return value === undefined ? [] : [{ law, value }];
  });
}

const lawful = registry.filter(runsInEpochs).filter((algorithm) => exactLaws(algorithm).length > 0);

test('some algorithms of the catalogue have such a law', () => {
  expect(lawful.map(({ name }) => name)).toContain('lelann');
  expect(lawful.length).toBeGreaterThanOrEqual(5);
});

for (const algorithm of lawful) {
  const laws = exactLaws(algorithm);
  test(`${algorithm.name}: ${laws.map(({ law: { formula }, value }) => `${formula} = ${value}`).join(', ')}`, async () => {
    for (const seed of [1]) {
      const cluster = new SimulatedCluster({ algorithm, ids: IDS, seed });
      cluster.startAll();
      await cluster.agree(60_000);
      const epoch = cluster.statusOf(3).term;
      const codec = new MessageCodec(algorithm.name, algorithm.messages);
      const sent = new Array<number>(codec.types.length).fill(0);
      for (const { frame } of cluster.network.sent) {
        if (frame.epoch === epoch) sent[codec.indexOf((frame.body as { type: string }).type)]++;
      }
      const counts = codec.counts(sent);
      for (const { law, value } of laws) {
        const { measure } = law;
        const count =
          typeof measure === 'object' && 'messages' in measure
            ? counts.byType[measure.messages]
            : counts[measure as 'election' | 'announcement'];
        expect([law.formula, count, `seed ${seed}`]).toEqual([law.formula, value, `seed ${seed}`]);
      }
    }
  });
}
