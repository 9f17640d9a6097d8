/**
 * Dolev, Klawe and Rodeh, Journal of Algorithms 3(3), 1982, in the form of the Promela model that is distributed with
 * Spin.
 */
import { describe, expect, test } from 'vitest';
import { randomRuns } from '../../../../../../test-kit/limits/effort.ts';
import { dolevKlaweRodeh } from '../../../../src/algorithms/index.ts';
import { Run, simulate } from '../../../../src/simulator/simulate.ts';
import { expectEveryLawHolds, run } from '../../laws.ts';
import { ascending, halving } from '../../orders.ts';
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
import { dolevKlaweRodehBound, dolevKlaweRodehClosed } from './dolev-klawe-rodeh.reference.ts';

/** The ids on which model checkers are compared. */
function checkerIds(n: number): number[] {
  return ascending(n).map((_, position) => ((n + 2 - position) % n) + 1);
}

describe('Dolev–Klawe–Rodeh in lockstep', () => {
  test(`matches the sum over phases in leader, counts and times, for all orders up to n = ${MAX_ORDERED}`, () => {
    expectAsReference(dolevKlaweRodeh, dolevKlaweRodehClosed, everyOrder(MAX_ORDERED));
  });

  test(`non-initiators forward every message: all initiator sets up to n = ${MAX_SUBSETS}`, () => {
    expectAsReference(dolevKlaweRodeh, dolevKlaweRodehClosed, everyInitiatorSet(MAX_SUBSETS));
  });

  test('agrees with its reference for every n from 1 to 64, and at 1,000 and 4,096', () => {
    expectAsReference(dolevKlaweRodeh, dolevKlaweRodehClosed, everySize());
    expectAsReference(dolevKlaweRodeh, dolevKlaweRodehClosed, largeRings());
  });
});

describe('the model', () => {
  test('has the fields active, maximum, neighbour, knows, done and leader, and no other', () => {
    expect(Object.keys(dolevKlaweRodeh.state)).toEqual([
      'active',
      'maximum',
      'neighbour',
      'knows',
      'done',
      'leader',
    ]);
    expect(Object.keys(dolevKlaweRodeh.messages)).toEqual(['one', 'two', 'winner']);
  });

  test('ends with all nodes done, one node active, which knows, and one leader, the largest', () => {
    for (const n of [1, 2, 3, 5, 8, 12]) {
      const election = new Run(dolevKlaweRodeh, { ids: checkerIds(n) });
      while (!election.advance());
      const all = election.simulation.machine.views();
      const { knower, leader } = dolevKlaweRodehClosed(checkerIds(n));
      expect(all.every(({ done }) => done)).toBe(true);
      expect(all.map(({ knows }) => knows).indexOf(true)).toBe(knower);
      expect(all.filter(({ knows }) => knows)).toHaveLength(1);
      expect(all.filter(({ active }) => active)).toHaveLength(1);
      expect(all.map((view) => view.leader).indexOf(true)).toBe(leader);
      expect(all.filter((view) => view.leader)).toHaveLength(1);
    }
  });

  test('the node that knows decides at once, all others when winner arrives; no node decides twice', () => {
    for (const n of [1, 2, 3, 5, 8, 12]) {
      const { knower, knows } = dolevKlaweRodehClosed(checkerIds(n));
      const decided: [node: number, time: number][] = [];
      run(dolevKlaweRodeh, {
        ids: checkerIds(n),
        observe: ({ type, node, time }) => {
          if (type === 'decide') decided.push([node, time]);
        },
      });
      expect(decided).toEqual(ascending(n).map((_, i) => [(knower + i) % n, knows + i]));
    }
  });

  test('the leader is the last to decide if ids are sorted', () => {
    for (const order of ['ascending', 'descending'] as const) {
      const { electedAt, agreedAt, announcementReturnedAt } = run(dolevKlaweRodeh, { nodes: 64, order }).time;
      expect([electedAt, agreedAt, announcementReturnedAt]).toEqual([129, 129, 130]);
    }
  });
});

describe('the cost of Dolev–Klawe–Rodeh', () => {
  test('every law applies to at least one run, and holds: 3n for sorted ids, n for one initiator', () => {
    const runs = [1, 2, 3, 4, 5, 8, 64, 1000].flatMap((nodes) => [
      { nodes, order: 'ascending' as const },
      { nodes, order: 'descending' as const },
      { nodes, order: 'descending' as const, schedule: 'random' as const },
      { nodes, initiators: [nodes - 1] },
      { nodes, initiators: [{ position: 0, time: 7 }], schedule: 'random' as const },
    ]);
    expectEveryLawHolds(dolevKlaweRodeh, runs);
  });

  test('the halving order of 2^j ids reaches the bound 2n·j + n, returned at 4n−2', () => {
    for (let j = 0; j <= 13; j++) {
      const n = 2 ** j;
      const { messages, time } = run(dolevKlaweRodeh, { ids: halving(j) });
      expect([messages.election, time.announcementReturnedAt]).toEqual([dolevKlaweRodehBound(n), 4 * n - 2]);
    }
  });
});

describe('Dolev–Klawe–Rodeh in every FIFO schedule', () => {
  test('one leader known to all and the message counts of lockstep, with random delays and late starts', () => {
    for (const { seed, ...ring } of seededRings(1500)) {
      expectElectionAsReference(dolevKlaweRodeh, dolevKlaweRodehClosed, ring, { schedule: 'random', seed });
    }
  });

  test('an adversary that chooses every delivery changes neither the leader nor the counts', () => {
    const claims = [dolevKlaweRodeh, dolevKlaweRodehClosed] as const;
    expectToWithstandAdversaries(...claims, { fifo: true, runs: 3000, seed: 1982 });
  });
});

describe('Dolev–Klawe–Rodeh without FIFO', () => {
  const despite = (nodes: number, seed: number) =>
    simulate(dolevKlaweRodeh, { nodes, seed, schedule: 'random:nofifo', despite: ['fifo'] });

  test('may leave all nodes passive and undecided, already at n = 3: a one overtook a two', () => {
    expect(despite(3, 2).valid).toEqual({ termination: false, uniqueness: false, agreement: false });
    expect(despite(3, 2).messages.byType.winner).toBe(0);
  });

  test('gives one leader or none, and never two, in 300 runs (3,000 in long runs)', () => {
    const outcomes = new Set<string>();
    for (let seed = 1; seed <= randomRuns(3000); seed++) {
      const { leader, valid } = despite(2 + (seed % 15), seed);
      outcomes.add(`${leader === null ? 'nobody' : 'one'} leads, ${valid.termination ? 'ended' : 'stuck'}`);
    }
    expect([...outcomes].sort()).toEqual(['nobody leads, stuck', 'one leads, ended']);
  });
});
