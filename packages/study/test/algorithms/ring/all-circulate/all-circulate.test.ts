/** Karnapke, Election Algorithms, 2015/16, slides 10 to 12: "1. Idea: Bully-Algorithm", and its variant. */
import { describe, expect, test } from 'vitest';
import { effort, randomRuns } from '../../../../../../test-kit/limits/effort.ts';
import { allCirculate } from '../../../../src/algorithms/index.ts';
import { check } from '../../../../src/checker/index.ts';
import { simulate } from '../../../../src/simulator/simulate.ts';
import { invalid } from '../../errors.ts';
import { expectEveryLawHolds, run } from '../../laws.ts';
import {
  everyInitiatorSet,
  everyOrder,
  everySize,
  expectAsReference,
  expectElectionAsReference,
  expectToWithstandAdversaries,
  MAX_ORDERED,
  MAX_SUBSETS,
  randomOrders,
  seededRings,
} from '../ring-runs.ts';
import { allCirculateClosed, initiatorsCirculateClosed } from './all-circulate.reference.ts';

/** The ring that is searched, and its orders times its sets of initiators. */
const [NODES, INSTANCES] = effort({ quick: [3, 2 * 7], full: [4, 6 * 15] });

const variants = [
  ['all', allCirculateClosed],
  ['initiators', initiatorsCirculateClosed],
] as const;

describe.each(variants)('all-circulate, compete=%s', (compete, reference) => {
  const set = { compete };

  test(`matches its reference in leader, counts and times, for all orders up to n = ${MAX_ORDERED}, all initiator sets up to ${MAX_SUBSETS}`, () => {
    expectAsReference(allCirculate, reference, everyOrder(MAX_ORDERED), { set });
    expectAsReference(allCirculate, reference, everyInitiatorSet(MAX_SUBSETS), { set });
  });

  test('agrees with its reference for every n from 1 to 64', () => {
    expectAsReference(allCirculate, reference, everySize(), { set });
  });

  test('the laws hold on 500 random orders (5,000 in long runs)', () => {
    for (const { ids } of randomOrders(randomRuns(5000))) {
      run(allCirculate, { ids, set });
      run(allCirculate, { ids, set, schedule: 'random:nofifo' });
    }
  });

  test('one leader known to all and the same counts, with random delays and late starts, with or without FIFO', () => {
    for (const { seed, ...ring } of seededRings(200)) {
      expectElectionAsReference(allCirculate, reference, ring, { schedule: 'random', seed, set });
      expectElectionAsReference(allCirculate, reference, ring, { schedule: 'random:nofifo', seed, set });
    }
  });

  test('an adversary that chooses every delivery changes neither the leader nor the counts', () => {
    expectToWithstandAdversaries(allCirculate, reference, { fifo: false, runs: 800, seed: 2015, set });
  });

  test(`every schedule of every order and initiator set of ${NODES} nodes elects one leader, known to all`, () => {
    const result = check(allCirculate, { nodes: NODES, orders: 'all', initiators: 'subsets', set });
    expect(result).toMatchObject({ complete: true, exact: true, violations: [] });
    expect(result.instances.all).toBe(INSTANCES);
  });
});

describe('the cost of all-circulate (slide 10)', () => {
  test('every law applies to at least one run, and holds', () => {
    const runs = [1, 2, 3, 4, 5, 8, 64].flatMap((nodes) =>
      variants.flatMap(([compete]) => [
        { nodes, set: { compete } },
        { nodes, set: { compete }, initiators: [nodes - 1] },
        {
          nodes,
          set: { compete },
          initiators: { random: Math.ceil(nodes / 2) },
          schedule: 'random' as const,
        },
      ]),
    );
    expectEveryLawHolds(allCirculate, runs);
  });

  test('"n complete circulations": a thousand nodes send a million messages, whichever nodes initiate', () => {
    expect(run(allCirculate, { nodes: 1000 }).messages.byType).toEqual({ circuit: 1_000_000, elected: 0 });
    const { messages, time } = run(allCirculate, { nodes: 1000, initiators: [17] });
    expect([messages.election, messages.announcement, time.agreedAt]).toEqual([1_000_000, 0, 1999]);
  });

  test('"the highest of all nodes wins", even if it does not initiate; with compete=initiators it does not', () => {
    const options = { ids: [2, 9, 5], initiators: [0, 2] };
    expect(run(allCirculate, options).leader?.id).toBe(9);
    const { leader, messages } = run(allCirculate, { ...options, set: { compete: 'initiators' } });
    expect([leader?.id, messages.election, messages.announcement]).toEqual([5, 6, 3]);
  });
});

describe('all-circulate refuses', () => {
  test('an unknown value of compete', () => {
    expect(() => simulate(allCirculate, { set: { compete: 'none' } })).toThrow(invalid('compete'));
  });
});
