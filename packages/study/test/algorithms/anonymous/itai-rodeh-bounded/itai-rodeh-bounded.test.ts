/** Karnapke, Election Algorithms, 2015/16, "Election in Rings with Unknown Size": the size lies between N and 2N−1. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns } from '../../../../../../test-kit/limits/effort.ts';
import { itaiRodehBounded } from '../../../../src/algorithms/index.ts';
import { type CheckOptions, check } from '../../../../src/checker/index.ts';
import { type AnyAlgorithm, InputError } from '../../../../src/kernel/index.ts';
import { simulate } from '../../../../src/simulator/index.ts';
import { invalid } from '../../errors.ts';
import { expectEveryLawHolds, run } from '../../laws.ts';
import { somePositions } from '../../orders.ts';
import { adversary, nameOf, type Play } from '../../ring/ring-runs.ts';

/** The same algorithm with an N that does not fit the ring. */
function withWrongBound(N: number): AnyAlgorithm {
  const right: AnyAlgorithm = itaiRodehBounded;
  return { ...right, params: { ...right.params, N: { ...right.params.N, min: 1, byDefault: N } } };
}

describe('Itai–Rodeh for N ≤ n ≤ 2N−1', () => {
  test('elects one leader in 1,000 rings (10,000 in long runs), for all N that allow n, under all kinds of delays', () => {
    for (let seed = 1; seed <= randomRuns(10_000); seed++) {
      const nodes = 1 + (seed % (seed % 10 === 0 ? 64 : 9));
      const least = Math.floor(nodes / 2) + 1;
      run(itaiRodehBounded, {
        nodes,
        seed,
        schedule: (['lockstep', 'random', 'random:nofifo'] as const)[seed % 3],
        initiators: somePositions(nodes, 1 + (seed % nodes), seed),
        set: { c: 2 + (seed % 3), N: least + (seed % (nodes - least + 1)) },
      });
    }
  });

  test('uses the smallest N that allows n by default', () => {
    const chosen = [1, 2, 3, 4, 5, 8, 9].map((nodes) => run(itaiRodehBounded, { nodes }).params.N);
    expect(chosen).toEqual([1, 2, 2, 3, 3, 5, 5]);
  });

  test('costs n for one initiator, and n for the announcement', () => {
    const runs = [1, 2, 3, 64, 1000].map((nodes) => ({ nodes, initiators: [nodes - 1] }));
    expectEveryLawHolds(itaiRodehBounded, [...runs, { nodes: 1000 }]);
  });

  test.each([true, false])('elects one leader under an adversary, FIFO %s', (fifo) => {
    const play: fc.Arbitrary<Play> = fc.oneof(
      fc.record({ picks: fc.array(fc.nat(60), { minLength: 1, maxLength: 100 }) }),
      fc.record({ starve: fc.nat(8) }),
    );
    const election = fc.integer({ min: 1, max: 8 }).chain((nodes) =>
      fc.record({
        nodes: fc.constant(nodes),
        N: fc.integer({ min: Math.floor(nodes / 2) + 1, max: nodes }),
        seed: fc.nat(1000),
        play,
      }),
    );
    fc.assert(
      fc.property(election, ({ nodes, N, seed, play }) => {
        const schedule = { pick: adversary(play), fifo, name: nameOf(play) };
        run(itaiRodehBounded, { nodes, seed, set: { c: 2, N }, schedule });
      }),
      { numRuns: randomRuns(800), seed: 1981 },
    );
  });
});

describe('over every schedule and every random draw', () => {
  const searches: CheckOptions[] = [
    { nodes: 2, bound: { round: 5 }, initiators: 'subsets' },
    ...[2, 3].map((N) => ({ nodes: 3, set: { N }, bound: { round: 3 }, initiators: 'subsets' as const })),
    ...[3, 4].map((N) => ({ nodes: 4, set: { N }, bound: { round: 2 } })),
    ...[3, 4, 5].map((N) => ({
      nodes: 5,
      set: { N },
      bound: { round: 2 },
      initiators: 'subsets' as const,
      fifo: true,
    })),
  ];

  test.each(
    searches.map((options) => [options.nodes, options.set?.N ?? 2, options.fifo ?? false, options] as const),
  )(
    'n = %i, N = %i, FIFO %s: never two leaders, and termination stays possible',
    (_nodes, _N, _fifo, { set, ...options }) => {
      // Without FIFO the reduction would explore rounds beyond any bound.
      const reduce = options.fifo ? 'auto' : 'none';
      const result = check(itaiRodehBounded, { ...options, reduce, set: { c: 2, ...set } });
      expect(result.violations).toEqual([]);
      // Only states beyond the bound were not explored.
      expect([result.stopped, result.termination]).toEqual([null, 'sure']);
    },
  );
});

describe('n = 2N', () => {
  test('gives two leaders: an arc of N hops fits twice', () => {
    for (const N of [1, 2, 3]) {
      const { violations } = check(withWrongBound(N), {
        nodes: 2 * N,
        set: { c: 2 },
        bound: { round: 2 },
        fifo: true,
      });
      expect(violations.map(({ property, text }) => [property, text])).toEqual([
        ['uniqueness', `nodes 0 and ${N} both lead`],
      ]);
    }
  });

  test('often gives two leaders in ordinary runs too', () => {
    let failed = 0;
    for (let seed = 1; seed <= 400; seed++) {
      const outcome = simulate(withWrongBound(2), {
        nodes: 4,
        seed,
        set: { c: 2 },
        despite: ['termination'],
      });
      if (!outcome.valid.uniqueness) failed++;
    }
    // Two opposite nodes draw the larger number and the others the smaller: 2 of 16 cases; more in later rounds.
    expect(failed).toBeGreaterThan(40);
  });

  test('n < N never terminates: a node takes its own returned token for that of another node', () => {
    const { violations } = check(withWrongBound(3), {
      nodes: 2,
      set: { c: 2 },
      bound: { round: 3 },
      fifo: true,
    });
    expect(violations).toEqual([]);
    const until = { until: 1000, despite: ['termination'] };
    expect(simulate(withWrongBound(3), { nodes: 2, ...until }).leader).toBeNull();
  });
});

describe('invalid options', () => {
  test.each([
    [8, 4, "N of itai-rodeh-bounded must be a whole number from 5 to 8 for 8 nodes, not '4'"],
    [8, 9, "N of itai-rodeh-bounded must be a whole number from 5 to 8 for 8 nodes, not '9'"],
    [4, 2, "N of itai-rodeh-bounded must be a whole number from 3 to 4 for 4 nodes, not '2'"],
  ])('for %i nodes N = %i is refused', (nodes, N, text) => {
    expect(() => simulate(itaiRodehBounded, { nodes, set: { N } })).toThrow(new InputError(text));
  });

  test('c = 1 is refused', () => {
    expect(() => simulate(itaiRodehBounded, { set: { c: 1 } })).toThrow(invalid('c'));
  });
});
