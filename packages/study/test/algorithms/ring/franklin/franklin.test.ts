/** Franklin, CACM 25(5), 1982; with the round numbers modulo 2 of Bakhshi, Fokkink, Pang and van de Pol, 2008. */
import { describe, expect, test } from 'vitest';
import { effort, randomRuns } from '../../../../../../test-kit/limits/effort.ts';
import { franklin, petersonBidirectional } from '../../../../src/algorithms/index.ts';
import { check } from '../../../../src/checker/index.ts';
import { simulate } from '../../../../src/simulator/simulate.ts';
import { expectEveryLawHolds, run } from '../../laws.ts';
import { ascending, descending, halving, ringOrders } from '../../orders.ts';
import { at, initiatorFlags, type Outcome } from '../../reference-outcome.ts';
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
  randomOrders,
  seededRings,
} from '../ring-runs.ts';

/** The sizes of the rings that are searched. */
const SIZES = effort({ quick: [1, 2, 3], full: [1, 2, 3, 4] });

/** The bound of the source on the election messages. */
function boundOf(n: number): number {
  return 2 * n * (Math.floor(Math.log2(n)) + 1);
}

/**
 * The reference: no messages, only the times at which the active nodes begin their rounds. An id leaves its node when
 * the round begins, takes one unit per hop, and waits at a node that has not yet become a relay. A round begins when the
 * ids of both neighbours have arrived. The last round has one node, whose id goes all the way round.
 */
function franklinReference(ids: readonly number[], initiators?: readonly number[]): Outcome {
  const n = ids.length;
  const initiates = initiatorFlags(n, initiators);
  const relaysFrom = ids.map(() => 0);
  let active = ids.flatMap((_, i) => (at(initiates, i) === 1 ? [{ position: i, begins: 0 }] : []));
  let rounds = 1;
  const arrival = (from: { position: number; begins: number }, to: number, direction: 1 | -1): number => {
    let now = from.begins + 1;
    for (let i = (from.position + direction + n) % n; i !== to; i = (i + direction + n) % n) {
      now = Math.max(now, at(relaysFrom, i)) + 1;
    }
    return now;
  };
  for (; active.length > 1; rounds++) {
    const compared = active.map(({ position }, j) => {
      const before = at(active, (j + active.length - 1) % active.length);
      const after = at(active, (j + 1) % active.length);
      const begins = Math.max(arrival(before, position, 1), arrival(after, position, -1));
      const stays = [before, after].every((other) => at(ids, other.position) < at(ids, position));
      return { position, begins, stays };
    });
    for (const { position, begins, stays } of compared) if (!stays) relaysFrom[position] = begins;
    active = compared.filter(({ stays }) => stays);
  }
  const leader = at(active, 0);
  const electedAt = Math.min(arrival(leader, leader.position, 1), arrival(leader, leader.position, -1));
  return {
    leader: leader.position,
    election: 2 * n * rounds,
    announcement: n,
    byType: { id: 2 * n * rounds, elected: n },
    electedAt,
    agreedAt: electedAt + n - 1,
    announcementReturnedAt: electedAt + n,
  };
}

describe('Franklin in lockstep', () => {
  test(`elects, counts and times as its reference, for all orders to n = ${MAX_ORDERED}, all initiator sets to ${MAX_SUBSETS}`, () => {
    expectAsReference(franklin, franklinReference, everyOrder(MAX_ORDERED));
    expectAsReference(franklin, franklinReference, everyInitiatorSet(MAX_SUBSETS));
  });

  test('agrees with its reference for every n from 1 to 64, and at 1,000 and 4,096', () => {
    expectAsReference(franklin, franklinReference, everySize());
    expectAsReference(franklin, franklinReference, largeRings());
  });
});

describe('the cost of Franklin', () => {
  test('every law applies to some run, and holds', () => {
    const runs = [1, 2, 3, 4, 5, 8, 64, 1000].flatMap((nodes) =>
      (['lockstep', 'random', 'random:nofifo'] as const).flatMap((schedule) => [
        { nodes, schedule, order: 'ascending' as const },
        { nodes, schedule, order: 'descending' as const },
        { nodes, schedule, order: 'random' as const },
        { nodes, schedule, initiators: [nodes - 1] },
      ]),
    );
    expectEveryLawHolds(franklin, runs);
  });

  test.each(effort({ quick: [1, 2, 3, 4], full: [1, 2, 3, 4, 5] }))(
    'n = %i: the most expensive run of all orders and schedules is within 2n(⌊log2 n⌋+1)',
    (n) => {
      const { complete, worst } = check(franklin, {
        nodes: n,
        orders: 'all',
        starts: 'together',
        worst: 'election',
      });
      const most = Math.max(...[...ringOrders(n)].map((ids) => franklinReference(ids).election));
      expect([complete, worst?.value]).toEqual([true, most]);
      expect(most).toBeLessThanOrEqual(boundOf(n));
      if (Number.isInteger(Math.log2(n))) expect(most).toBe(boundOf(n));
    },
  );

  test(`every schedule of an order costs the same: 2n messages per round; n up to ${SIZES.at(-1)}`, () => {
    for (const n of SIZES) {
      for (const ids of ringOrders(n)) {
        const { worst, best } = check(franklin, {
          ids,
          starts: 'together',
          worst: 'election',
          best: 'election',
        });
        const { election } = franklinReference(ids);
        expect([ids, worst?.value, best?.value]).toEqual([ids, election, election]);
      }
    }
  });

  test('2n(⌊log2 n⌋+1) holds on 1,000 random orders (10,000 in long runs), and is reached at every n = 2^j', () => {
    for (const { ids } of randomOrders(randomRuns(10_000))) {
      expect(run(franklin, { ids }).messages.election).toBeLessThanOrEqual(boundOf(ids.length));
    }
    for (let j = 0; j <= 12; j++) {
      for (const schedule of ['lockstep', 'random:nofifo'] as const) {
        const { messages } = run(franklin, { ids: halving(j), schedule });
        expect(messages.election).toBe(boundOf(2 ** j));
      }
    }
  });

  test('sorted ids cost 4n for n ≥ 2, and a ring of one costs 2', () => {
    expect(run(franklin, { nodes: 1 }).messages.election).toBe(2);
    for (const n of [2, 3, 4, 5, 33, 64, 1000]) {
      expect(run(franklin, { ids: ascending(n) }).messages.election).toBe(4 * n);
      expect(run(franklin, { ids: descending(n) }).messages.election).toBe(4 * n);
    }
  });
});

describe('Franklin in every schedule', () => {
  test.each(['random', 'random:nofifo'] as const)(
    'one leader known to all, and 2n messages per round, with %s delays and late starts',
    (schedule) => {
      for (const { seed, ...ring } of seededRings(500)) {
        expectElectionAsReference(franklin, franklinReference, ring, { schedule, seed });
      }
    },
  );

  test.each([true, false])('adversaries change neither leader nor counts, with FIFO %s', (fifo) => {
    expectToWithstandAdversaries(franklin, franklinReference, { fifo, runs: 1000, seed: 1982 });
  });

  test.each(SIZES)('every schedule of every order and initiator set of %i nodes elects one leader', (n) => {
    const result = check(franklin, { nodes: n, orders: 'all', initiators: 'subsets' });
    expect(result).toMatchObject({ complete: true, exact: true, violations: [] });
  });

  test('R3 keeps the bound where messages overtake: 42 messages on a ring of 7, and 56 without R3', () => {
    const options = { nodes: 7, seed: 563, schedule: 'random:nofifo' } as const;
    const without = simulate(petersonBidirectional, { ...options, despite: ['fifo'] });
    expect([run(franklin, options), without].map(({ messages }) => messages.election)).toEqual([42, 56]);
    expect(boundOf(7)).toBe(42);
  });
});
