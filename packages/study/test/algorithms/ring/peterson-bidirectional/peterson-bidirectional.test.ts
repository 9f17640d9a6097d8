/**
 * Peterson, ACM TOPLAS 4(4), 1982, on bidirectional rings; the slides are those of Karnapke, Election Algorithms,
 * 2015/16.
 */
import { describe, expect, test } from 'vitest';
import { effort, randomRuns } from '../../../../../../test-kit/limits/effort.ts';
import { petersonBidirectional } from '../../../../src/algorithms/index.ts';
import { check } from '../../../../src/checker/index.ts';
import type { Choice } from '../../../../src/simulator/schedules/adversary.ts';
import { expectEveryLawHolds, run } from '../../laws.ts';
import { ascending, descending, halving, ringOrders, shuffled } from '../../orders.ts';
import {
  everyInitiatorSet,
  everyOrder,
  everySize,
  expectAsReference,
  expectElectionAsReference,
  expectToWithstandAdversaries,
  largeRings,
  MAX_ORDERED,
  MAX_SUBSETS,
  type Reference,
  randomOrders,
  seededRings,
} from '../ring-runs.ts';
import { petersonBidirectionalLockstep, petersonPhases } from './peterson-bidirectional.reference.ts';

/** The ring that is searched, and its orders times its sets of initiators. */
const [NODES, INSTANCES] = effort({ quick: [3, 2 * 7], full: [4, 6 * 15] });

const EAGER = { eager: true };
const eagerly: Reference = (ids, initiators) => petersonBidirectionalLockstep(ids, initiators, true);

/** The source's bound on E: 2n(⌊log2 n⌋+1). */
function boundOf(n: number): number {
  return 2 * n * (Math.floor(Math.log2(n)) + 1);
}

describe('bidirectional Peterson in lockstep', () => {
  test(`matches its reference in leader, counts and times, for all orders up to n = ${MAX_ORDERED}, all initiator sets up to ${MAX_SUBSETS}`, () => {
    expectAsReference(petersonBidirectional, petersonBidirectionalLockstep, everyOrder(MAX_ORDERED));
    expectAsReference(petersonBidirectional, petersonBidirectionalLockstep, everyInitiatorSet(MAX_SUBSETS));
  });

  test('agrees with its reference for every n from 1 to 64', () => {
    expectAsReference(petersonBidirectional, petersonBidirectionalLockstep, everySize());
  });

  test('sends 2n messages per phase at 1,000 and 4,096 nodes too', () => {
    for (const { ids, initiators } of largeRings()) {
      const { messages } = run(petersonBidirectional, { ids, initiators });
      expect(messages.election).toBe(2 * ids.length * petersonPhases(ids, initiators));
    }
  });
});

describe('the cost of bidirectional Peterson (slides 27 to 32)', () => {
  test('every law applies to at least one run, and holds', () => {
    const runs = [1, 2, 3, 4, 5, 8, 64, 1000].flatMap((nodes) => [
      { nodes, order: 'ascending' as const },
      { nodes, order: 'descending' as const },
      { nodes, order: 'random' as const },
      { nodes, initiators: [nodes - 1] },
    ]);
    expectEveryLawHolds(petersonBidirectional, runs);
  });

  test('2n(⌊log2 n⌋+1) is not exceeded by 1,000 random orders (10,000 in long runs)', () => {
    for (const { ids } of randomOrders(randomRuns(10_000))) {
      expect(run(petersonBidirectional, { ids }).messages.election).toBeLessThanOrEqual(boundOf(ids.length));
    }
  });

  test('2n(⌊log2 n⌋+1) is reached at every n = 2^j, by the halving order', () => {
    for (let j = 0; j <= 10; j++) {
      expect(run(petersonBidirectional, { ids: halving(j) }).messages.election).toBe(boundOf(2 ** j));
    }
  });

  test('sorted ids cost 4n for n ≥ 2, and a ring of one costs 2', () => {
    expect(run(petersonBidirectional, { nodes: 1 }).messages.election).toBe(2);
    for (const n of [2, 3, 4, 5, 33, 64, 1000, 4096]) {
      expect(run(petersonBidirectional, { ids: ascending(n) }).messages.election).toBe(4 * n);
      expect(run(petersonBidirectional, { ids: descending(n) }).messages.election).toBe(4 * n);
    }
  });

  /** Mean and standard error of the number of phases over random orders. */
  function phasesOf(n: number, orders: number): { mean: number; error: number } {
    let [sum, squares] = [0, 0];
    for (let seed = 1; seed <= orders; seed++) {
      const ids = shuffled(n, seed);
      const phases = run(petersonBidirectional, { ids }).messages.election / (2 * n);
      sum += phases;
      squares += phases * phases;
    }
    const mean = sum / orders;
    return { mean, error: Math.sqrt((squares / orders - mean * mean) / orders) };
  }

  test('the mean is log3 n + 1 phases, at most 0.25 more: 4.9 at n = 64, 7.3 at 1,024', () => {
    for (const [n, orders, figure] of [
      [64, 1000, 4.9],
      [1024, 150, 7.3],
    ] as const) {
      const { mean, error } = phasesOf(n, orders);
      const law = Math.log(n) / Math.log(3) + 1;
      expect(mean).toBeGreaterThan(law - 3 * error);
      expect(mean).toBeLessThan(law + 0.25 + 3 * error);
      expect(Math.abs(mean - figure)).toBeLessThan(0.05 + 3 * error);
    }
  });

  test("the notes' ⌊log3 n⌋ + 1 is about one phase too small at n = 8, 26, 80 and 728", () => {
    let [sum, count] = [0, 0];
    for (const ids of ringOrders(8)) {
      sum += petersonPhases(ids);
      count++;
    }
    expect(sum / count - (1 + 1)).toBeGreaterThan(0.9);
    for (const [n, floor] of [
      [26, 2],
      [80, 3],
      [728, 5],
    ] as const) {
      const { mean, error } = phasesOf(n, 120);
      expect(mean - (floor + 1)).toBeGreaterThan(0.9 - 3 * error);
    }
  });
});

describe('bidirectional Peterson under any FIFO schedule', () => {
  test('one leader known to all, and 2n messages per phase, with random delays and late starts', () => {
    for (const { seed, ...ring } of seededRings(500)) {
      const options = { schedule: 'random', seed } as const;
      expectElectionAsReference(petersonBidirectional, petersonBidirectionalLockstep, ring, options);
    }
  });

  test('an adversary that chooses every delivery changes neither the leader nor the counts', () => {
    const attack = { fifo: true, runs: 1000, seed: 1982 };
    expectToWithstandAdversaries(petersonBidirectional, petersonBidirectionalLockstep, attack);
  });

  test.each([{ eager: false }, EAGER])(
    `every schedule of every order and initiator set of ${NODES} nodes elects one leader, with %o`,
    (set) => {
      const options = { nodes: NODES, orders: 'all', initiators: 'subsets', set } as const;
      const result = check(petersonBidirectional, options);
      expect(result).toMatchObject({ complete: true, exact: true, violations: [] });
      expect(result.instances.all).toBe(INSTANCES);
    },
  );
});

describe('with eager on (slide 30)', () => {
  test('matches the eager reference in leader, counts and times, for all orders up to n = 6, all initiator sets up to 4', () => {
    expectAsReference(petersonBidirectional, eagerly, everyOrder(6), { set: EAGER });
    expectAsReference(petersonBidirectional, eagerly, everyInitiatorSet(4), { set: EAGER });
  });

  test('the best case is 3n−1: sorted ids, if each node receives an id of the largest last', () => {
    for (const n of [3, 4, 5, 8, 64]) {
      // First the clockwise ids except that of the largest, then the others except that of the smallest, then that of the largest.
      const rank = ({ from, port }: Choice): number => {
        if (port === 1) return from === 0 ? 3 : 1;
        return from === n - 1 ? 2 : 0;
      };
      let largestHasGone = false;
      const pick = (choices: readonly Choice[]): number => {
        const ranks = choices.map((choice) => (largestHasGone && choice.port === 0 ? 2 : rank(choice)));
        const best = ranks.indexOf(Math.min(...ranks));
        if (ranks[best] === 2) largestHasGone = true;
        return best;
      };
      const options = { ids: ascending(n), schedule: { pick } };
      const { messages } = run(petersonBidirectional, { ...options, set: EAGER });
      expect([n, messages.election]).toEqual([n, 3 * n - 1]);
      largestHasGone = false;
      expect(run(petersonBidirectional, options).messages.election).toBe(4 * n);
    }
  });

  test('the bound does not hold: 33 descending ids cost 660 in lockstep, against 396', () => {
    const { messages } = run(petersonBidirectional, { nodes: 33, order: 'descending', set: EAGER });
    expect([messages.election, boundOf(33)]).toEqual([660, 396]);
    expect(run(petersonBidirectional, { nodes: 33, order: 'descending' }).messages.election).toBe(4 * 33);
  });

  test('still one leader known to all, with random delays and late starts', () => {
    for (const { seed, ids, wakes } of seededRings(300)) {
      run(petersonBidirectional, { ids, initiators: wakes, schedule: 'random', seed, set: EAGER });
    }
  });
});
