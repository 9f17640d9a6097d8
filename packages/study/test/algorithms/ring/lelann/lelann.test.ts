/** Le Lann, IFIP Congress 1977; the slides are those of lecture 22 on leader election on rings. */
import { describe, expect, test } from 'vitest';
import { effort, randomRuns } from '../../../../../../test-kit/limits/effort.ts';
import { leLann } from '../../../../src/algorithms/index.ts';
import { check } from '../../../../src/checker/index.ts';
import type { AnyAlgorithm } from '../../../../src/kernel/algorithm.ts';
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
import { leLannLockstep } from './lelann.reference.ts';

/** The ring that is searched, and its orders times its sets of initiators. */
const [NODES, INSTANCES] = effort({ quick: [4, 6 * 15], full: [5, 24 * 31] });

describe('LeLann in lockstep', () => {
  test(`matches its reference in leader, counts and times, for all orders up to n = ${MAX_ORDERED}`, () => {
    expectAsReference(leLann, leLannLockstep, everyOrder(MAX_ORDERED));
  });

  test(`"non-initiators just forward and lose": all orders and all initiator sets up to n = ${MAX_SUBSETS}`, () => {
    expectAsReference(leLann, leLannLockstep, everyInitiatorSet(MAX_SUBSETS));
  });

  test('agrees with its reference for every n from 1 to 64, and on 1,000 ids', () => {
    expectAsReference(leLann, leLannLockstep, everySize());
    expect(run(leLann, { nodes: 1000 }).messages.byType).toEqual({ token: 1_000_000, elected: 1000 });
  });
});

describe('the cost of LeLann (message and time complexity)', () => {
  test('every law applies to at least one run, and holds: E = k·n, A = n, the leader decides at n, returned at 2n', () => {
    const runs = [1, 2, 3, 4, 5, 8, 64].flatMap((nodes) => [
      { nodes },
      { nodes, initiators: [nodes - 1] },
      { nodes, initiators: { random: Math.ceil(nodes / 2) }, schedule: 'random' as const },
    ]);
    expectEveryLawHolds(leLann, runs);
    const { time } = run(leLann, { nodes: 64 });
    expect([time.electedAt, time.agreedAt, time.announcementReturnedAt]).toEqual([64, 64, 128]);
  });

  test('the laws hold on 500 random orders (5,000 in long runs), in lockstep and with random delays', () => {
    for (const { ids } of randomOrders(randomRuns(5000))) {
      run(leLann, { ids });
      run(leLann, { ids, schedule: 'random' });
    }
  });

  test('if the last initiator starts at n−1, the leader decides at 2n−1', () => {
    for (let n = 2; n <= 64; n++) {
      const ids = Array.from({ length: n }, (_, position) => position);
      const { time } = run(leLann, { ids, initiators: [0, { position: n - 1, time: n - 1 }] });
      expect([n, time.electedAt, time.announcementReturnedAt]).toEqual([n, 2 * n - 1, 3 * n - 1]);
    }
  });

  test('no initiator starts later: the token of the first one arrives by n−1 and starts it', () => {
    const { time } = run(leLann, { ids: [0, 1, 2, 3], initiators: [0, { position: 3, time: 50 }] });
    expect(time.electedAt).toBe(2 * 4 - 1);
  });
});

describe('LeLann under any FIFO schedule', () => {
  test('one leader known to all, and k·n messages, with random delays and late starts', () => {
    for (const { seed, ...ring } of seededRings(600)) {
      expectElectionAsReference(leLann, leLannLockstep, ring, { schedule: 'random', seed });
    }
  });

  test('an adversary that chooses every delivery changes neither the leader nor the counts', () => {
    expectToWithstandAdversaries(leLann, leLannLockstep, { fifo: true, runs: 1500, seed: 1977 });
  });

  test('an initiator that receives a token before it starts sends its own token first, and so is on every list', () => {
    const { leader, messages } = run(leLann, { ids: [1, 2, 3], initiators: [0, { position: 2, time: 9 }] });
    expect([leader?.id, messages.election]).toEqual([3, 6]);
  });

  test(`every schedule of every order and initiator set of ${NODES} nodes elects one leader, known to all`, () => {
    const result = check(leLann, { nodes: NODES, orders: 'all', initiators: 'subsets' });
    expect(result).toMatchObject({ complete: true, exact: true, violations: [] });
    expect(result.instances.all).toBe(INSTANCES);
  });

  test('FIFO is needed: if tokens overtake, the token of a node may return before that of a larger one', () => {
    const unordered: AnyAlgorithm = leLann;
    const result = check({ ...unordered, assumes: { ...leLann.assumes, fifo: false } }, { ids: [1, 2, 3] });
    expect(result.violations[0]?.property).toBe('uniqueness');
  });
});
