/** Chang–Roberts with random directions; the slides are those of Karnapke, Election Algorithms, 2015/16. */
import { describe, expect, test } from 'vitest';
import { effort, randomRuns } from '../../../../../../test-kit/limits/effort.ts';
import { randomizedChangRoberts } from '../../../../src/algorithms/index.ts';
import { check } from '../../../../src/checker/index.ts';
import { expectEveryLawHolds, run } from '../../laws.ts';
import { harmonic, seeded, shuffled, somePositions } from '../../orders.ts';
import {
  everyInitiatorSet,
  everyOrder,
  everySize,
  expectAsReference,
  randomOrders,
  seededRings,
} from '../ring-runs.ts';
import { randomizedChangRobertsLockstep } from './randomized-chang-roberts.reference.ts';

/** The ring that is searched, and its orders times its sets of initiators. */
const [NODES, INSTANCES] = effort({ quick: [3, 2 * 7], full: [4, 6 * 15] });

/** A reference with the directions that the run with this seed has drawn. */
function drawnAsIn(
  seed: number,
): (
  ids: readonly number[],
  initiators?: readonly number[],
) => ReturnType<typeof randomizedChangRobertsLockstep> {
  return (ids, initiators) => {
    const ways = ids.map(() => 1);
    let started = -1;
    run(randomizedChangRoberts, {
      ids,
      initiators,
      seed,
      observe: (event) => {
        if (event.type === 'start') started = event.node;
        if (event.type !== 'send' || event.time > 0 || event.node !== started) return;
        ways[started] = event.port === 1 ? 1 : -1;
      },
    });
    return randomizedChangRobertsLockstep(ids, ways, initiators);
  };
}

describe('randomized Chang–Roberts in lockstep', () => {
  test('matches its reference with the same directions in leader, counts and times, for all orders up to n = 6', () => {
    expectAsReference(randomizedChangRoberts, drawnAsIn(7), everyOrder(6), { seed: 7 });
  });

  test('the same holds for all initiator sets up to n = 4, and for every n from 1 to 64', () => {
    expectAsReference(randomizedChangRoberts, drawnAsIn(8), everyInitiatorSet(4), { seed: 8 });
    expectAsReference(randomizedChangRoberts, drawnAsIn(9), everySize(), { seed: 9 });
  });
});

/** Mean and standard error of E/n over random orders and draws. */
function costOf(n: number, runs: number): { mean: number; error: number } {
  let [sum, squares] = [0, 0];
  for (let seed = 1; seed <= runs; seed++) {
    const cost = run(randomizedChangRoberts, { ids: shuffled(n, seed), seed }).messages.election / n;
    sum += cost;
    squares += cost * cost;
  }
  const mean = sum / runs;
  return { mean, error: Math.sqrt((squares / runs - mean * mean) / runs) };
}

describe('the cost of randomized Chang–Roberts (slides 50 and 51)', () => {
  const measured = [
    [64, 1500, 3.98, 16],
    [256, 500, 4.95, 19],
    [1024, 150, 5.95, 21],
    [4096, 40, 6.92, 22],
  ] as const;

  test.each(measured)('E/n at n = %i is ln n/√2 + 1.04 on average', (n, runs, figure, percent) => {
    const { mean, error } = costOf(n, runs);
    const law = Math.log(n) / Math.SQRT2 + 1.04;
    expect(Math.abs(mean - law)).toBeLessThan(0.01 * law + 3 * error);
    expect(Math.abs(mean - figure)).toBeLessThan(0.005 + 3 * error);
    expect(Math.abs(100 * (1 - figure / harmonic(n)) - percent)).toBeLessThan(1);
  });

  test('every law applies to at least one run, and holds', () => {
    const runs = [1, 2, 3, 8, 64, 1000].flatMap((nodes) => [{ nodes }, { nodes, initiators: [nodes - 1] }]);
    expectEveryLawHolds(randomizedChangRoberts, runs);
  });

  test('nk − k(k−1)/2 is not exceeded by 500 random orders (5,000 in long runs), with random delays, with or without FIFO', () => {
    for (const { ids } of randomOrders(randomRuns(5000))) {
      run(randomizedChangRoberts, { ids, schedule: 'random', seed: ids[0] });
      run(randomizedChangRoberts, { ids, schedule: 'random:nofifo', seed: ids[0] });
    }
  });

  test('two tokens that travel towards each other halve the path of the smaller: 3n/8 on average for two, not n/2 (slide 51)', () => {
    const n = 64;
    let sum = 0;
    for (let seed = 1; seed <= 2000; seed++) {
      const initiators = somePositions(n, 2, seed);
      sum += run(randomizedChangRoberts, { ids: shuffled(n, seed), initiators, seed }).messages.election - n;
    }
    // The path of the smaller is uniform on 1..n−1, or half of that if they meet: a deviation of about n/4.
    expect(Math.abs(sum / 2000 - (3 * n) / 8)).toBeLessThan(1 + (3 * n) / 4 / Math.sqrt(2000));
  });
});

describe('randomized Chang–Roberts under any schedule', () => {
  test('one leader known to all, the largest initiator, with random delays and late starts, with or without FIFO', () => {
    for (const { seed, ids, wakes } of seededRings(600)) {
      const schedule = seeded(seed)(2) === 0 ? 'random' : 'random:nofifo';
      let largest = -1;
      const { leader } = run(randomizedChangRoberts, {
        ids,
        initiators: wakes,
        schedule,
        seed,
        observe: ({ type, node }) => {
          if (type === 'start') largest = Math.max(largest, ids[node] ?? -1);
        },
      });
      expect([seed, leader?.id]).toEqual([seed, largest]);
    }
  });

  test(`every schedule and every random draw of every order and initiator set of ${NODES} nodes elects one leader`, () => {
    const result = check(randomizedChangRoberts, { nodes: NODES, orders: 'all', initiators: 'subsets' });
    expect(result).toMatchObject({ complete: true, exact: true, violations: [] });
    expect(result.instances.all).toBe(INSTANCES);
  });
});
