/**
 * The variants of Hirschberg and Sinclair's algorithm in Karnapke, Election Algorithms, 2015/16; the slides are his.
 */
import { describe, expect, test } from 'vitest';
import { effort, randomRuns } from '../../../../../../test-kit/limits/effort.ts';
import { hirschbergSinclair } from '../../../../src/algorithms/index.ts';
import { check } from '../../../../src/checker/index.ts';
import { simulate } from '../../../../src/simulator/simulate.ts';
import { invalid } from '../../errors.ts';
import { run } from '../../laws.ts';
import { halving } from '../../orders.ts';
import {
  everyInitiatorSet,
  everyOrder,
  everySize,
  expectAsReference,
  expectElectionAsReference,
  largeRings,
  MAX_ORDERED,
  MAX_SUBSETS,
  type Reference,
  randomOrders,
  seededRings,
} from '../ring-runs.ts';
import { hirschbergSinclairClosed, hirschbergSinclairLockstep } from './hirschberg-sinclair.reference.ts';

describe('with veto (slide 22)', () => {
  const set = { veto: true };
  const withVeto: Reference = (ids, initiators) => hirschbergSinclairClosed(ids, initiators, true);

  test(`the path of a discarded probe costs twice, and nothing else changes: all orders up to n = ${MAX_ORDERED}`, () => {
    expectAsReference(hirschbergSinclair, withVeto, everyOrder(MAX_ORDERED), { set });
    expectAsReference(hirschbergSinclair, withVeto, everyInitiatorSet(MAX_SUBSETS), { set });
  });

  test('agrees with its reference for every n from 1 to 64, and at 1,000 and 4,096', () => {
    expectAsReference(hirschbergSinclair, withVeto, everySize(), { set });
    expectAsReference(hirschbergSinclair, withVeto, largeRings(), { set });
  });

  test('leader and counts are the same with random delays and late starts, with or without FIFO', () => {
    for (const { seed, ...ring } of seededRings(200)) {
      const options = { schedule: 'random:nofifo', seed, set } as const;
      expectElectionAsReference(hirschbergSinclair, withVeto, ring, options);
    }
  });

  test('the bound is not exceeded by 1,000 random orders (10,000 in long runs), nor by the halving order', () => {
    for (const { ids } of randomOrders(randomRuns(10_000))) run(hirschbergSinclair, { ids, set });
    for (let j = 1; j <= 12; j++) run(hirschbergSinclair, { ids: halving(j), set });
  });
});

describe('by phase and id (slide 25)', () => {
  const set = { compare: 'phase' };
  const byPhase: Reference = (ids, initiators) =>
    hirschbergSinclairLockstep(ids, initiators, { byPhase: true });

  test(`in lockstep the largest initiator wins in the same time, for all orders up to n = ${MAX_ORDERED}`, () => {
    expectAsReference(hirschbergSinclair, byPhase, everyOrder(MAX_ORDERED), { set });
    expectAsReference(hirschbergSinclair, byPhase, everyInitiatorSet(MAX_SUBSETS), { set });
    for (const { ids, initiators } of everyInitiatorSet(MAX_SUBSETS)) {
      const { leader, electedAt } = byPhase(ids, initiators);
      const byId = hirschbergSinclairClosed(ids, initiators);
      expect([leader, electedAt]).toEqual([byId.leader, byId.electedAt]);
    }
  });

  test('agrees with its reference for every n from 1 to 64, with veto and without', () => {
    expectAsReference(hirschbergSinclair, byPhase, everySize(), { set });
    const both: Reference = (ids, initiators) =>
      hirschbergSinclairLockstep(ids, initiators, { byPhase: true, vetoes: true });
    expectAsReference(hirschbergSinclair, both, everySize(), { set: { ...set, veto: true } });
  });

  test('the bound is not exceeded by 1,000 random orders (10,000 in long runs), with random delays', () => {
    for (const { ids } of randomOrders(randomRuns(10_000)))
      run(hirschbergSinclair, { ids, set, schedule: 'random' });
  });

  /** The id that wins, and the largest id that initiated. */
  function winners(options: Parameters<typeof run>[1] & { readonly ids: readonly number[] }) {
    let largest = -1;
    const { leader } = run(hirschbergSinclair, {
      ...options,
      observe: ({ type, node }) => {
        if (type === 'start') largest = Math.max(largest, options.ids[node] ?? -1);
      },
    });
    return { wins: leader?.id, largest };
  }

  test('"no longer a MAX-algorithm": 2 wins against 4, which started late', () => {
    const initiators = [5, 2, 6, 5].map((time, position) => ({ position, time }));
    const options = { ids: [3, 2, 1, 4], initiators, schedule: 'random', seed: 7 } as const;
    expect(winners({ ...options, set })).toEqual({ wins: 2, largest: 4 });
    const byId = winners(options);
    expect(byId.wins).toBe(byId.largest);
  });

  test('a smaller id may win even if all start at 0, with random delays: 3 wins against 4', () => {
    const options = { ids: [1, 3, 2, 4], schedule: 'random', seed: 70 } as const;
    expect(winners({ ...options, set })).toEqual({ wins: 3, largest: 4 });
    expect(winners(options)).toEqual({ wins: 4, largest: 4 });
  });

  test('always exactly one wins, with random delays and late starts, with or without FIFO', () => {
    let others = 0;
    for (const { seed, ids, wakes } of seededRings(600)) {
      const schedule = seed % 2 === 0 ? 'random' : 'random:nofifo';
      const { wins, largest } = winners({ ids, initiators: wakes, schedule, seed, set });
      if (wins !== largest) others++;
    }
    expect(others).toBeGreaterThan(randomRuns(600) / 12);
  });
});

describe('every schedule of every order and initiator set of 4 nodes', () => {
  test.each([{ veto: false }, { veto: true }, { compare: 'phase' }, { compare: 'phase', veto: true }])(
    'elects one leader, known to all, with %o',
    (set) => {
      // docs/checked.md has a search with all invariants: one of the network turns the reductions off.
      const [nodes, instances] = effort({ quick: [3, 2 * 7], full: [4, 6 * 15] });
      const options = { nodes, orders: 'all', initiators: 'subsets', invariants: 'node', set } as const;
      const result = check(hirschbergSinclair, options);
      expect(result).toMatchObject({ complete: true, exact: true, violations: [] });
      expect(result.instances.all).toBe(instances);
    },
  );
});

test('an unknown value of compare is refused', () => {
  expect(() => simulate(hirschbergSinclair, { set: { compare: 'age' } })).toThrow(invalid('compare'));
});
