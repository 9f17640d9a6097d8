/**
 * The variable time algorithm in a synchronous ring; Lynch, Distributed Algorithms, 1996, section 3.6.1: TimeSlice.
 */
import { describe, expect, test } from 'vitest';
import { effort, randomRuns } from '../../../../../../test-kit/limits/effort.ts';
import { timeSlice } from '../../../../src/algorithms/index.ts';
import { check } from '../../../../src/checker/index.ts';
import { Run, simulate } from '../../../../src/simulator/simulate.ts';
import { expectEveryLawHolds, run } from '../../laws.ts';
import { shuffled } from '../../orders.ts';
import { everyOrder, expectAsReference, MAX_ORDERED, randomOrders } from '../ring-runs.ts';
import { timeSliceLockstep } from './time-slice.reference.ts';

/** The orders of a ring that differ by a rotation are one. */
const [NODES, ORDERS] = effort({ quick: [6, 120], full: [7, 720] });

/** Orders of ids that do not begin at 1, for every size up to 64, and at 1,000. */
function* laterIds() {
  for (let n = 1; n <= 64; n++) {
    for (const first of [0, 1, 5]) yield { ids: shuffled(n, n + first).map((id) => id - 1 + first) };
  }
  yield { ids: shuffled(1000, 7).map((id) => id + 2) };
}

describe('time-slice', () => {
  test(`matches its reference in leader, counts and times, for all orders up to n = ${MAX_ORDERED}`, () => {
    expectAsReference(timeSlice, timeSliceLockstep, everyOrder(MAX_ORDERED));
  });

  test('agrees with its reference for every n from 1 to 64 and at 1,000, with id 0 too', () => {
    expectAsReference(timeSlice, timeSliceLockstep, laterIds());
  });

  test('every law applies to at least one run, and holds: E = 0, A = n, the leader decides at n·(smallest id)', () => {
    expectEveryLawHolds(timeSlice, [{ ids: [7, 4, 9] }, { nodes: 64 }, { ids: [0] }, { ids: [3, 0] }]);
    const { leader, messages, time } = run(timeSlice, { ids: [7, 4, 9] });
    expect([leader?.id, messages.election, messages.announcement]).toEqual([4, 0, 3]);
    expect([time.electedAt, time.agreedAt, time.announcementReturnedAt]).toEqual([12, 14, 15]);
  });

  test('the laws hold on 1,000 random orders (10,000 in long runs)', () => {
    for (const { ids } of randomOrders(randomRuns(10_000))) run(timeSlice, { ids });
  });

  test('waiting costs nothing: a thousand ids from a million on take as many events as from 1 on', () => {
    const steps = [1, 1_000_000].map((first) => {
      const election = new Run(timeSlice, { ids: shuffled(1000, 1).map((id) => id - 1 + first) });
      while (!election.advance());
      expect(election.outcome().time.electedAt).toBe(1000 * first);
      return election.simulation.steps;
    });
    // One start and one message per node, and one slice that begins.
    expect(steps).toEqual([2001, 2001]);
  });

  test(`every order of ${NODES} ids elects one leader, known to all`, () => {
    const result = check(timeSlice, { nodes: NODES, orders: 'all' });
    expect(result).toMatchObject({ complete: true, exact: true, violations: [] });
    expect(result.instances.all).toBe(ORDERS);
  });
});

describe('time-slice refuses', () => {
  test('without lockstep late announcements let more than one node lead, if the run is allowed', () => {
    const options = { ids: [1, 3, 4, 5, 6, 2], schedule: 'random', despite: ['timing'], seed: 1 } as const;
    const { valid } = simulate(timeSlice, options);
    expect(valid.uniqueness).toBe(false);
  });
});
