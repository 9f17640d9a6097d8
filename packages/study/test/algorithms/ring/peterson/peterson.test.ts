/**
 * Peterson, ACM Transactions on Programming Languages and Systems 4(4), 1982; the slides are those of Karnapke,
 * Election Algorithms, 2015/16.
 */
import { describe, expect, test } from 'vitest';
import { peterson } from '../../../../src/algorithms/index.ts';
import { simulate } from '../../../../src/simulator/simulate.ts';
import { expectEveryLawHolds, run } from '../../laws.ts';
import { halving, ringOrders } from '../../orders.ts';
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
  seededRings,
} from '../ring-runs.ts';
import { petersonClosed, petersonLockstep } from './peterson.reference.ts';

describe('Peterson in lockstep', () => {
  test(`matches the sum over phases in leader, counts and times, for all orders up to n = ${MAX_ORDERED}`, () => {
    expectAsReference(peterson, petersonClosed, everyOrder(MAX_ORDERED));
  });

  test(`non-initiators are relays: all initiator sets up to n = ${MAX_SUBSETS}`, () => {
    expectAsReference(peterson, petersonClosed, everyInitiatorSet(MAX_SUBSETS));
  });

  test('agrees with its reference for every n from 1 to 64, and at 1,000 and 4,096', () => {
    expectAsReference(peterson, petersonClosed, everySize());
    expectAsReference(peterson, petersonClosed, largeRings());
  });

  test('elects one leader for all orders up to n = 7, where the program as printed (slide 34) gives two leaders for 523', () => {
    const violations = [1, 2, 3, 4, 5, 6, 7].map((n) => {
      let twoLeaders = 0;
      for (const ids of ringOrders(n)) {
        expect(run(peterson, { ids }).leader?.id).toBe(n);
        try {
          petersonLockstep(ids, undefined, true);
        } catch {
          twoLeaders++;
        }
      }
      return twoLeaders;
    });
    expect(violations).toEqual([0, 1, 0, 2, 16, 88, 416]);
  });

  test('the correction "for n = 2" is needed whenever a phase begins with two active nodes: 4 1 3 2 is the next smallest order', () => {
    expect(() => petersonLockstep([2, 1], undefined, true)).toThrow('two leaders');
    expect(() => petersonLockstep([4, 1, 3, 2], undefined, true)).toThrow('two leaders');
    expect(run(peterson, { ids: [2, 1] }).leader?.position).toBe(0);
    expect(run(peterson, { ids: [4, 1, 3, 2] }).leader?.position).toBe(0);
  });
});

describe('the cost of Peterson (slide 28)', () => {
  test('every law applies to at least one run, and holds: 3n−1 for sorted ids, n for one initiator', () => {
    const runs = [1, 2, 3, 4, 5, 8, 64, 1000].flatMap((nodes) => [
      { nodes, order: 'ascending' as const },
      { nodes, order: 'descending' as const },
      { nodes, order: 'descending' as const, schedule: 'random' as const },
      { nodes, initiators: [nodes - 1] },
      { nodes, initiators: [{ position: 0, time: 7 }], schedule: 'random' as const },
    ]);
    expectEveryLawHolds(peterson, runs);
  });

  test('the halving order of 2^j ids costs 2n·j − n/2 + 2, and stays under the bound 2n(j+1)', () => {
    for (let j = 1; j <= 13; j++) {
      const n = 2 ** j;
      expect(run(peterson, { ids: halving(j) }).messages.election).toBe(2 * n * j - n / 2 + 2);
    }
  });
});

describe('Peterson in every FIFO schedule', () => {
  test('one leader known to all and the message counts of lockstep, with random delays and late starts', () => {
    for (const { seed, ...ring } of seededRings(1500)) {
      expectElectionAsReference(peterson, petersonClosed, ring, { schedule: 'random', seed });
    }
  });

  test('an adversary that chooses every delivery changes neither the leader nor the counts', () => {
    expectToWithstandAdversaries(peterson, petersonClosed, { fifo: true, runs: 3000, seed: 1982 });
  });
});

describe('Peterson without FIFO ("messages must not overtake each other", slide 34)', () => {
  const despite = (nodes: number, seed: number) =>
    simulate(peterson, { nodes, seed, schedule: 'random:nofifo', despite: ['fifo'] });

  test('may give two leaders, already at n = 4, and different nodes may follow them', () => {
    const { leader, valid } = despite(4, 15);
    expect(leader).toBeNull();
    expect(valid).toEqual({ termination: true, uniqueness: false, agreement: false });
  });

  test('may give no leader, and not terminate', () => {
    expect(despite(5, 108).valid).toEqual({ termination: false, uniqueness: false, agreement: false });
  });
});
