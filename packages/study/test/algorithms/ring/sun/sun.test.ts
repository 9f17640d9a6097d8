/** Shirali, Haghighat Toroghi and Vojdani, Leader election algorithms: history and novel schemes, 2008, sections 4, 5. */
import { describe, expect, test } from 'vitest';
import { sun } from '../../../../src/algorithms/index.ts';
import { check } from '../../../../src/checker/index.ts';
import type { AnyAlgorithm } from '../../../../src/kernel/algorithm.ts';
import type { SimulateOptions } from '../../../../src/simulator/plan/options.ts';
import { Run, simulate } from '../../../../src/simulator/simulate.ts';
import { expectEveryLawHolds, run } from '../../laws.ts';
import { permutations, shuffled } from '../../orders.ts';
import { divisions } from '../divisions.ts';
import { sunLockstep } from './sun.reference.ts';

const allLive = { crash: 'none' } as const;

/**
 * Searches in which the largest id has crashed at the start, and all nodes eventually detect the crash of their
 * coordinator.
 */
const coordinatorDead: AnyAlgorithm = { ...(sun as AnyAlgorithm), trigger: 'coordinator dead' };

describe('the cost of Sun(d), no crash, one detector', () => {
  test('2ΣL_i + L_2 + a messages, returned at 3L_r + 2d(u−1) + a, for every n up to 64, u and depth', () => {
    const runs = [...divisions(2, 64)].flatMap(({ n, u, depth }) =>
      [0, 1, n - 1].map((detector) => ({
        ids: shuffled(n, n + detector),
        initiators: [detector],
        set: { u, depth, successors: 2 },
        ...allLive,
      })),
    );
    expectEveryLawHolds(sun, runs);
  });

  test('the same holds for 1,000 and 4,096 nodes', () => {
    for (const [nodes, u, depth] of [
      [1000, 10, 1],
      [1000, 10, 3],
      [4096, 4, 3],
      [4096, 8, 4],
    ]) {
      run(sun, { nodes, initiators: [nodes - 1], set: { u, depth, successors: 2 }, ...allLive });
    }
  });

  test('the informer decides at 2L_r + d(u−1), before all others', () => {
    for (const { n, u, depth } of divisions(2, 32)) {
      const decided: [node: number, time: number][] = [];
      simulate(sun, {
        nodes: n,
        initiators: [0],
        set: { u, depth },
        ...allLive,
        observe: ({ type, node, time }) => {
          if (type === 'decide') decided.push([node, time]);
        },
      });
      expect(decided).toHaveLength(n);
      expect(decided[0]).toEqual([0, 2 * (n / u ** depth) + depth * (u - 1)]);
    }
  });

  test('agrees with its reference on leader, counts and times, for every detector', () => {
    for (const { n, u, depth } of divisions(2, 24)) {
      for (let detector = 0; detector < n; detector++) {
        const ids = shuffled(n, 100 * n + detector);
        const { leader, messages, time } = run(sun, {
          ids,
          initiators: [detector],
          set: { u, depth },
          ...allLive,
        });
        const expected = sunLockstep(ids, u, depth, detector);
        expect({ ...messages.byType }).toEqual(expected.byType);
        expect([leader?.position, time.electedAt, time.agreedAt, time.announcementReturnedAt]).toEqual([
          expected.leader,
          expected.electedAt,
          expected.agreedAt,
          expected.announcementReturnedAt,
        ]);
      }
    }
  });

  test("the paper's table for 64 nodes: S(1) 176 and 54 where it says 176 and 64, S(2) 184 and 24, not 172 and 28", () => {
    const figures = [1, 2].map((depth) => {
      const { messages, time } = run(sun, { nodes: 64, initiators: [0], set: { u: 4, depth }, ...allLive });
      return [messages.total, time.announcementReturnedAt];
    });
    expect(figures).toEqual([
      [176, 54],
      [184, 24],
    ]);
  });
});

describe('the gather, which the paper does not have', () => {
  const orders = Array.from({ length: 300 }, (_, seed) => shuffled(64, seed + 1));

  test('without it S(2) costs the 172 of the paper, leaves 36 of 64 nodes unread, and misses the largest in 159 of 300 orders', () => {
    const first = sunLockstep(orders[0], 4, 2, 0, false);
    expect([first.election + first.announcement, first.unread]).toEqual([172, 36]);
    const missed = orders.filter((ids) => ids[sunLockstep(ids, 4, 2, 0, false).leader] !== 64);
    expect(missed.length).toBe(159); // 36/64 of 300 are 169; the difference is due to the random orders
  });

  test('with it all ids are read, and the largest always wins', () => {
    expect(sunLockstep(orders[0], 4, 2, 0).unread).toBe(0);
    for (const ids of orders) {
      expect(simulate(sun, { ids, initiators: [0], set: { u: 4, depth: 2 }, ...allLive }).leader?.id).toBe(
        64,
      );
    }
  });

  test('for d = 1 there is nothing to gather, and the count of the paper is correct', () => {
    const { messages } = run(sun, { nodes: 64, initiators: [0], set: { u: 4 }, ...allLive });
    expect(messages.byType.gather).toBe(0);
    expect(messages.total).toBe(2 * (64 + 16) + 16);
  });
});

describe('the largest wins', () => {
  test('in every order up to n = 6, for every detector', () => {
    for (const { n, u, depth } of divisions(2, 6)) {
      for (const ids of permutations(n)) {
        const initiators = [ids.indexOf(1)];
        expect(run(sun, { ids, initiators, set: { u, depth }, ...allLive }).leader?.id).toBe(n);
      }
    }
  });

  test('with any number of detectors and any delays', () => {
    for (const { n, u, depth } of divisions(2, 32)) {
      for (const schedule of ['lockstep', 'random'] as const) {
        const options = { nodes: n, seed: n, schedule, set: { u, depth, timeout: 6 }, ...allLive };
        expect(run(sun, options).leader?.id).toBe(n);
        expect(run(sun, { ...options, initiators: { random: Math.ceil(n / 2) } }).leader?.id).toBe(n);
      }
    }
  });
});

describe('the checker finds no schedule that fails', () => {
  test.each([
    ['all orders and detectors, n = 4, depth 1', { nodes: 4, set: { u: 2, depth: 1 }, orders: 'all' }],
    ['all detectors, n = 4, depth 2', { nodes: 4, set: { u: 2, depth: 2 }, order: 'ascending' }],
    ['all orders and detectors, n = 3', { nodes: 3, orders: 'all' }],
  ] as const)('no crash: %s', (_, options) => {
    const result = check(sun, { ...options, initiators: 'subsets' });
    expect(result).toMatchObject({ complete: true, exact: true, termination: 'sure', violations: [] });
  });

  test.each([
    ['all orders and detectors, n = 3', { nodes: 3, orders: 'all', initiators: 'subsets' }],
    ['one more crash, n = 4', { nodes: 4, order: 'ascending', initiators: [0], crashes: 1 }],
    [
      'a crash and a recovery, n = 3',
      { nodes: 3, order: 'ascending', initiators: [0], crashes: 1, recoveries: 1 },
    ],
    ['a loss, n = 3', { nodes: 3, order: 'ascending', initiators: [0], losses: 1 }],
  ] as const)('the coordinator crashed: %s', (_, options) => {
    const result = check(coordinatorDead, options);
    expect(result).toMatchObject({ complete: true, exact: true, termination: 'sure', violations: [] });
  });
});

test('without an inner ring the ring itself is the last: each detector is an informer, and a single node too', () => {
  for (const n of [1, 2, 5]) {
    const { leader, messages } = run(sun, { nodes: n, initiators: [n - 1], set: { depth: 0 }, ...allLive });
    expect(leader?.id).toBe(n);
    expect(messages).toMatchObject({ election: 2 * n, announcement: n });
  }
});

describe('Sun refuses', () => {
  test.each<[SimulateOptions, object]>([
    [
      { nodes: 10, set: { u: 4 } },
      { code: 'HUSTINGS_INPUT', message: expect.stringContaining('u^depth = 4^1 = 4') },
    ],
    [
      { nodes: 8, set: { u: 2, depth: 4 } },
      { code: 'HUSTINGS_INPUT', message: expect.stringContaining('u^depth = 2^4 = 16') },
    ],
    [
      { nodes: 8, set: { u: 1 } },
      { code: 'HUSTINGS_INPUT', message: expect.stringContaining('u of sun') },
    ],
    [
      { nodes: 8, set: { depth: 21 } },
      { code: 'HUSTINGS_INPUT', message: expect.stringContaining('depth of sun') },
    ],
    [
      { nodes: 1, set: { depth: 1 } },
      { code: 'HUSTINGS_INPUT', message: expect.stringContaining('u^depth') },
    ],
    [{ nodes: 8, topology: 'star' }, { assumption: 'network' }],
    [{ nodes: 8, duplicate: 0.1 }, { assumption: 'duplication' }],
    [
      { nodes: 8, schedule: 'random' },
      { assumption: 'timing', remedies: expect.arrayContaining([{ option: 'set', value: 'timeout=6' }]) },
    ],
  ])('%j', (options, error) => {
    expect(() => new Run(sun, options)).toThrow(expect.objectContaining(error));
  });
});
