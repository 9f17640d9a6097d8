/**
 * Chang and Roberts, Communications of the ACM 22(5), 1979; the slides are those of Karnapke, Election Algorithms,
 * 2015/16.
 */
import { describe, expect, test } from 'vitest';
import { effort, randomRuns } from '../../../../../../test-kit/limits/effort.ts';
import { changRoberts } from '../../../../src/algorithms/index.ts';
import { Run, simulate } from '../../../../src/simulator/simulate.ts';
import { expectEveryLawHolds, run } from '../../laws.ts';
import { ascending, descending, permutations, positionSets, shuffled } from '../../orders.ts';
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
  seededRings,
} from '../ring-runs.ts';
import {
  changRobertsBest,
  changRobertsClosed,
  changRobertsElection,
  changRobertsWorst,
} from './chang-roberts.reference.ts';

const RANDOM_IDS = effort({ quick: 100_000, full: 1_000_000 });
/** The largest ring on which the mean over all orders is computed. */
const MAX_MEAN = effort({ quick: 5, full: 6 });

/** The reference elects the largest id; negated ids make the smallest win. */
const smallestWins: Reference = (ids, initiators) =>
  changRobertsClosed(
    ids.map((id) => -id),
    initiators,
  );

describe('Chang–Roberts in lockstep', () => {
  test(`matches the next-greater-initiator form in leader, counts and times, for all orders up to n = ${MAX_ORDERED}`, () => {
    expectAsReference(changRoberts, changRobertsClosed, everyOrder(MAX_ORDERED));
  });

  test(`"only an initiator can win" (slide 14): all orders and all initiator sets up to n = ${MAX_SUBSETS}`, () => {
    expectAsReference(changRoberts, changRobertsClosed, everyInitiatorSet(MAX_SUBSETS));
  });

  test('agrees with its reference for every n from 1 to 64, and at 1,000 and 4,096', () => {
    expectAsReference(changRoberts, changRobertsClosed, everySize());
    expectAsReference(changRoberts, changRobertsClosed, largeRings());
  });

  test('with extremum=min the smallest wins, at the cost of the mirrored ids', () => {
    const options = { set: { extremum: 'min' } };
    expectAsReference(changRoberts, smallestWins, everyInitiatorSet(MAX_SUBSETS), options);
    expectAsReference(changRoberts, smallestWins, everySize(), options);
  });

  test(`${RANDOM_IDS} random ids cost exactly what the closed form says`, () => {
    const election = new Run(changRoberts, { nodes: RANDOM_IDS, order: 'random', seed: 1979 });
    while (!election.advance());
    const { leader, messages, time } = election.outcome();
    expect(messages.byType).toEqual({
      token: changRobertsElection(election.facts().ids),
      elected: RANDOM_IDS,
    });
    expect([leader?.id, time.electedAt, time.announcementReturnedAt]).toEqual([
      RANDOM_IDS,
      RANDOM_IDS,
      2 * RANDOM_IDS,
    ]);
  });
});

describe('the cost of Chang–Roberts (slides 15 to 19)', () => {
  test('every law applies to at least one run, and holds: n(n+1)/2 descending, 2n−1 ascending, A = n, returned at 2n', () => {
    const sorted = [1, 2, 3, 4, 5, 8, 64, 1000].flatMap((nodes) => [
      { nodes, order: 'ascending' as const },
      { nodes, order: 'descending' as const },
    ]);
    expectEveryLawHolds(changRoberts, [...sorted, { nodes: 64, order: 'random' }]);
  });

  test('k initiators cost nk − k(k−1)/2 adjacent and descending, n+k−1 adjacent and ascending', () => {
    for (const n of [1, 2, 3, 7, 64]) {
      for (let k = 1; k <= n; k++) {
        const initiators = [...Array(k).keys()];
        const worst = run(changRoberts, { ids: descending(n), initiators });
        const best = run(changRoberts, { ids: ascending(n), initiators });
        expect(worst.messages.election).toBe(changRobertsWorst(n, k));
        expect(best.messages.election).toBe(changRobertsBest(n, k));
      }
    }
  });

  test(`the mean over all orders is exactly n·H_k, for every set of k positions, n up to ${MAX_MEAN}`, () => {
    for (let n = 1; n <= MAX_MEAN; n++) {
      const orders = [...permutations(n)];
      for (const initiators of positionSets(n)) {
        let sum = 0;
        for (const ids of orders) sum += simulate(changRoberts, { ids, initiators }).messages.election;
        let expected = 0; // n!·n·H_k, in whole numbers
        for (let j = 1; j <= initiators.length; j++) expected += (n * orders.length) / j;
        expect({ initiators, sum }).toEqual({ initiators, sum: expected });
      }
    }
  });
});

describe('Chang–Roberts under any schedule', () => {
  test('one leader known to all and the message counts of lockstep, with random delays and late starts', () => {
    for (const { seed, ...ring } of seededRings(800)) {
      expectElectionAsReference(changRoberts, changRobertsClosed, ring, { schedule: 'random', seed });
      expectElectionAsReference(changRoberts, changRobertsClosed, ring, { schedule: 'random:nofifo', seed });
    }
  });

  test('an adversary that chooses every delivery changes neither the leader nor the counts, with or without FIFO', () => {
    expectToWithstandAdversaries(changRoberts, changRobertsClosed, { fifo: true, runs: 1500, seed: 1979 });
    expectToWithstandAdversaries(changRoberts, changRobertsClosed, { fifo: false, runs: 1500, seed: 1980 });
  });

  test('all of this holds with extremum=min too', () => {
    for (const { seed, ...ring } of seededRings(200)) {
      const set = { extremum: 'min' };
      expectElectionAsReference(changRoberts, smallestWins, ring, { schedule: 'random:nofifo', seed, set });
    }
  });
});

describe('the filter (slides 14, 19 and 20)', () => {
  const set = { filter: true };

  test('changes no count on FIFO links, whichever nodes initiate', () => {
    expectAsReference(changRoberts, changRobertsClosed, everyInitiatorSet(MAX_SUBSETS), { set });
    expectAsReference(changRoberts, changRobertsClosed, everySize(), { set });
    for (const { seed, ...ring } of seededRings(400)) {
      expectElectionAsReference(changRoberts, changRobertsClosed, ring, { schedule: 'random', seed, set });
    }
  });

  test('never costs more without FIFO, and saves 10 messages at n = 16 with seed 5', () => {
    for (let seed = 1; seed <= randomRuns(300); seed++) {
      const ids = shuffled(1 + (seed % 64), seed);
      const filtered = run(changRoberts, { ids, schedule: 'random:nofifo', seed, set });
      expect(filtered.messages.election).toBeLessThanOrEqual(changRobertsElection(ids));
    }
    const options = { nodes: 16, seed: 5, schedule: 'random:nofifo' } as const;
    const saved =
      run(changRoberts, options).messages.election - run(changRoberts, { ...options, set }).messages.election;
    expect(saved).toBe(10);
  });

  test('saves the hops of a token that a stronger one has overtaken, also at non-initiators', () => {
    // Token 3 passes node 0 and overtakes token 1 on the link to node 1, which has not initiated.
    const options = { ids: [1, 8, 9, 3], initiators: [0, 3] };
    const newestFirst = { pick: (choices: readonly unknown[]) => choices.length - 1, fifo: false };
    const plain = run(changRoberts, { ...options, schedule: newestFirst });
    const filtered = run(changRoberts, { ...options, schedule: newestFirst, set });
    expect([plain.messages.election, filtered.messages.election]).toEqual([7, 5]);
    const inOrder = run(changRoberts, { ...options, schedule: { ...newestFirst, fifo: true }, set });
    expect(inOrder.messages.election).toBe(7);
  });
});
