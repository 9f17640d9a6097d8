/** A cluster that replaces another one: the tokens of every kind of algorithm begin above those that were used before. */
import { describe, expect, test } from 'vitest';
import { bully } from '../../../study/src/algorithms/complete/bully.ts';
import { raft } from '../../../study/src/algorithms/quorum/raft.ts';
import { registry } from '../../../study/src/algorithms/registry.ts';
import { changRoberts } from '../../../study/src/algorithms/ring/chang-roberts.ts';
import type { AnyAlgorithm } from '../../../study/src/kernel/algorithm.ts';
import { checkMember } from '../../src/runtime/member-options.ts';
import { SimulatedCluster } from '../simulated-cluster.ts';

const IDS = [3, 8, 12];
const USED = 1_000;

function canRun(algorithm: AnyAlgorithm): boolean {
  try {
    checkMember({ algorithm, members: IDS, self: 3, unitMs: 1 });
    return true;
  } catch {
    return false;
  }
}

/** All terms that a member of the cluster named. */
async function termsOf(algorithm: AnyAlgorithm, firstTerm: number): Promise<number[]> {
  const cluster = new SimulatedCluster({ algorithm, ids: IDS, seed: 7, firstTerm });
  cluster.startAll();
  await cluster.agree(60_000);
  return cluster.events.flatMap(({ event }) =>
    event.type === 'leader' && event.role !== null ? [event.term] : [],
  );
}

describe('the first token is above the largest that was used', () => {
  test.each(registry.filter(canRun).map((algorithm) => [algorithm.name, algorithm] as const))(
    '%s',
    async (_, algorithm) => {
      const terms = await termsOf(algorithm, USED);
      expect(terms.length).toBeGreaterThanOrEqual(IDS.length);
      expect(Math.min(...terms)).toBeGreaterThan(USED);
    },
  );

  test('without it the first tokens are small, so the test above can fail', async () => {
    for (const algorithm of [bully, raft, changRoberts])
      expect(Math.max(...(await termsOf(algorithm, 0)))).toBeLessThan(USED);
  });
});

describe('a first token that an algorithm cannot use is refused with one line', () => {
  const open = (algorithm: AnyAlgorithm, firstTerm: number): Promise<void> =>
    new SimulatedCluster({ algorithm, ids: IDS, seed: 7, firstTerm }).open(3);

  test('by one that does not say where its term is', async () => {
    const { termField: _, ...untold }: AnyAlgorithm = bully;
    await expect(open(untold, USED)).rejects.toThrow(
      'the tokens of bully cannot begin above 1000, because it declares no termField; use a quorum or another algorithm',
    );
  });

  test.each([
    ['raft', raft, 2 ** 30],
    ['bully', bully, 2 ** 30],
    ['chang-roberts', changRoberts, 2 ** 47],
  ] as const)(
    '%s: one that leaves less than a million elections to half of its range',
    async (_, algorithm, half) => {
      const limit = half - 2 ** 20;
      await expect(open(algorithm, limit)).rejects.toThrow(
        /^the first token must be at most \d+ with [a-z-]+, not \d+: a member that joins later would refuse its numbers; use an algorithm with a quorum, whose tokens are larger$/,
      );
      await open(algorithm, limit - 1);
    },
  );
});
