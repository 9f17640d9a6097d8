/** Itai and Rodeh 1981; Karnapke, Election Algorithms, 2015/16, "Las Vegas-Election for Anonymous Rings". */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns } from '../../../../../../test-kit/limits/effort.ts';
import { expectedRounds } from '../../../../src/algorithms/anonymous/expected-rounds.ts';
import { itaiRodeh } from '../../../../src/algorithms/index.ts';
import { type CheckOptions, check } from '../../../../src/checker/index.ts';
import { InputError } from '../../../../src/kernel/index.ts';
import { simulate } from '../../../../src/simulator/index.ts';
import { expectEveryLawHolds, run } from '../../laws.ts';
import { ascending, somePositions } from '../../orders.ts';
import { adversary, nameOf, type Play } from '../../ring/ring-runs.ts';
import { drawsOf, roundsToWin, sampleOf } from '../draws.ts';
import { asNumber, deviationOfRounds, meanRounds, roundOf } from './itai-rodeh.reference.ts';

describe('the Markov chain of rounds', () => {
  test('gives the fractions 2, 27/16, 8/5 and those of the catalogue for c = n', () => {
    expect(meanRounds(2, 2)).toEqual({ over: 2n, under: 1n });
    expect(meanRounds(3, 3)).toEqual({ over: 27n, under: 16n });
    expect(meanRounds(4, 4)).toEqual({ over: 8n, under: 5n });
    const rounded = [8, 16, 32].map((n) => asNumber(meanRounds(n, n)).toFixed(4));
    expect(rounded).toEqual(['1.4979', '1.4558', '1.4364']);
  });

  test('stays below the e·n/(n−1) of the source for c = n', () => {
    for (const n of [2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32]) {
      expect(asNumber(meanRounds(n, n))).toBeLessThan((Math.E * n) / (n - 1));
    }
  });

  test('agrees with the law of the algorithm for any n and c, to twelve digits', () => {
    for (const c of [2, 3, 5, 8, 32, 100]) {
      for (const n of [1, 2, 3, 4, 5, 8, 16, 32, 40]) {
        expect(expectedRounds(n, c)).toBeCloseTo(asNumber(meanRounds(n, c)), 11);
      }
    }
    expect(expectedRounds(4096, 4096)).toBeCloseTo(1.41816, 5);
    expect(expectedRounds(4097, 2)).toBeUndefined();
  });
});

describe('Itai–Rodeh in lockstep', () => {
  test('costs in each round what the draws of that round imply; the nodes with the largest id continue, and the last one leads', () => {
    const sizes = [...ascending(64), 1000];
    for (const nodes of sizes) {
      for (const c of nodes > 64 ? [nodes] : [2, 3, Math.max(2, nodes)]) {
        for (const k of [nodes, Math.ceil(nodes / 3)]) {
          const options = { nodes, seed: nodes + c, set: { c }, initiators: somePositions(nodes, k, nodes) };
          const { leader, messages, time } = run(itaiRodeh, options);
          const rounds = drawsOf(itaiRodeh, options).map((draws) => ({ draws, ...roundOf(nodes, draws) }));
          expect(messages.election).toBe(rounds.reduce((sum, round) => sum + round.messages, 0));
          for (let r = 1; r < rounds.length; r++) {
            expect([...rounds[r].draws.keys()].sort((a, b) => a - b)).toEqual(rounds[r - 1].winners);
          }
          expect(rounds.at(-1)?.winners).toEqual([leader?.position]);
          expect([time.electedAt, time.announcementReturnedAt]).toEqual([
            nodes * rounds.length,
            nodes * (rounds.length + 1),
          ]);
        }
      }
    }
  });

  test.each([
    [2, 4000],
    [3, 4000],
    [4, 4000],
    [8, 4000],
    [16, 2000],
    [32, 1000],
  ])(
    'n = c = %i: the mean number of rounds is that of the Markov chain, within three standard errors',
    (nodes, all) => {
      const runs = randomRuns(all);
      const figures = roundsToWin(itaiRodeh, { nodes, set: { c: nodes } }, runs);
      const expected = asNumber(meanRounds(nodes, nodes));
      const standardError = deviationOfRounds(nodes, nodes) / Math.sqrt(runs);
      expect(Math.abs(sampleOf(figures).mean - expected)).toBeLessThan(3 * standardError);
    },
  );

  test('the same holds for c = 2, for few initiators, with random delays, and at n = 1,024', () => {
    const cases = [
      { options: { nodes: 16, set: { c: 2 } }, runs: 1000, k: 16, c: 2 },
      { options: { nodes: 16, initiators: [0, 3, 5], set: { c: 4 } }, runs: 2000, k: 3, c: 4 },
      { options: { nodes: 8, schedule: 'random' as const }, runs: 2000, k: 8, c: 8 },
      { options: { nodes: 1024 }, runs: 300, k: 1024, c: 1024 },
    ];
    for (const { options, runs, k, c } of cases) {
      const { mean, standardError } = sampleOf(roundsToWin(itaiRodeh, options, randomRuns(runs)));
      expect(Math.abs(mean - (expectedRounds(k, c) ?? 0))).toBeLessThan(3 * standardError);
    }
  });

  test('all nodes win equally often', () => {
    const wins = [0, 0, 0, 0];
    for (let seed = 1; seed <= 2000; seed++)
      wins[run(itaiRodeh, { nodes: 4, seed }).leader?.position ?? -1]++;
    // 500 each; five standard deviations are 97.
    for (const count of wins) expect(Math.abs(count - 500)).toBeLessThan(97);
  });

  test('every law applies to at least one run, and holds', () => {
    expectEveryLawHolds(itaiRodeh, [{ nodes: 1 }, { nodes: 9, initiators: [4] }, { nodes: 1000 }]);
  });
});

describe('without FIFO', () => {
  test('there is still one leader, after fewer rounds: 1.64 on average for n = 2', () => {
    const figures = roundsToWin(itaiRodeh, { nodes: 2, schedule: 'random:nofifo' }, 6000);
    const { mean, standardError } = sampleOf(figures);
    expect(Math.abs(mean - 1.64)).toBeLessThan(3 * standardError + 0.005);
    expect(mean + 10 * standardError).toBeLessThan(2);
  });

  test('one leader in 1,000 rings (10,000 in long runs) of up to 64 nodes, under all kinds of delays, with any c and any initiators', () => {
    for (let seed = 1; seed <= randomRuns(10_000); seed++) {
      const nodes = 1 + (seed % (seed % 10 === 0 ? 64 : 9));
      run(itaiRodeh, {
        nodes,
        seed,
        schedule: (['lockstep', 'random', 'random:nofifo'] as const)[seed % 3],
        initiators: somePositions(nodes, 1 + (seed % nodes), seed),
        set: { c: 2 + (seed % 4) },
      });
    }
  });
});

const play: fc.Arbitrary<Play> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ picks: fc.array(fc.nat(60), { minLength: 1, maxLength: 100 }) }) },
  { weight: 1, arbitrary: fc.record({ starve: fc.nat(8) }) },
);

describe('under an adversarial schedule', () => {
  test.each([true, false])('FIFO %s: one leader, known to all', (fifo) => {
    const election = fc.record({
      nodes: fc.integer({ min: 1, max: 8 }),
      c: fc.integer({ min: 2, max: 4 }),
      seed: fc.nat(1000),
      play,
    });
    fc.assert(
      fc.property(election, ({ nodes, c, seed, play }) => {
        const schedule = { pick: adversary(play), fifo, name: nameOf(play) };
        run(itaiRodeh, { nodes, seed, set: { c }, schedule });
      }),
      { numRuns: randomRuns(800), seed: 1981 },
    );
  });
});

describe('over every schedule and every random draw', () => {
  test.each<[about: string, options: CheckOptions]>([
    ['one node', { nodes: 1 }],
    ['two nodes, six rounds, overtaking', { nodes: 2, bound: { round: 6 }, initiators: 'subsets' }],
    ['three nodes, three rounds, overtaking', { nodes: 3, bound: { round: 3 }, initiators: 'subsets' }],
    ['three nodes that draw from three', { nodes: 3, set: { c: 3 }, bound: { round: 2 } }],
    ['four nodes, four rounds, FIFO', { nodes: 4, bound: { round: 4 }, initiators: 'subsets', fifo: true }],
    ['five nodes, two rounds, FIFO', { nodes: 5, bound: { round: 2 }, initiators: 'subsets', fifo: true }],
  ])('%s: never two leaders, and termination stays possible', (_, options) => {
    // Without FIFO the reduction would explore rounds beyond any bound.
    const result = check(itaiRodeh, { set: { c: 2 }, reduce: options.fifo ? 'auto' : 'none', ...options });
    expect(result.violations).toEqual([]);
    // Only states beyond the bound were not explored.
    expect([result.stopped, result.termination, result.complete]).toEqual([
      null,
      'sure',
      options.nodes === 1,
    ]);
  });
});

describe('invalid options', () => {
  test.each([
    [1, "c of itai-rodeh must be a whole number from 2 to 2147483647, not '1'"],
    [0, "c of itai-rodeh must be a whole number from 2 to 2147483647, not '0'"],
    [2.5, "c of itai-rodeh must be a whole number from 2 to 2147483647, not '2.5'"],
  ])('c = %d is refused: a draw from one number never breaks a tie', (c, text) => {
    expect(() => simulate(itaiRodeh, { set: { c } })).toThrow(new InputError(text));
  });
});
