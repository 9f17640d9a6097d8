/**
 * The combination of Sun and Divided at the end of section 6 of Shirali, Haghighat Toroghi and Vojdani, Leader
 * election algorithms: history and novel schemes, 2008, which gives a figure but no numbers.
 */
import { describe, expect, test } from 'vitest';
import { divided, sun, sunDivided } from '../../../../src/algorithms/index.ts';
import { check } from '../../../../src/checker/index.ts';
import type { SimulateOptions } from '../../../../src/simulator/plan/options.ts';
import { Run, simulate } from '../../../../src/simulator/simulate.ts';
import { expectEveryLawHolds, run } from '../../laws.ts';
import { permutations, shuffled } from '../../orders.ts';
import { divisions } from '../divisions.ts';
import { adversary } from '../ring-runs.ts';
import { sunLockstep } from '../sun/sun.reference.ts';

describe('the cost of Sun and Divided combined, one detector', () => {
  test('1 + a + 2ΣL_i + L_2 messages, complete at a + 6 + 2d(u−1), for every n up to 64, u and depth', () => {
    const runs = [...divisions(2, 64)].flatMap(({ n, u, depth }) =>
      [0, 1, n - 1].map((detector) => ({
        ids: shuffled(n, n + detector),
        initiators: [detector],
        set: { u, depth },
      })),
    );
    expectEveryLawHolds(sunDivided, runs);
  });

  test('the same holds for 1,000 and 4,096 nodes: the time does not grow with n', () => {
    for (const [nodes, u, depth] of [
      [1000, 10, 2],
      [4096, 4, 3],
      [4096, 8, 4],
    ]) {
      const { time } = run(sunDivided, { nodes, initiators: [0], set: { u, depth } });
      expect(time.announcementReturnedAt).toBe(6 + 2 * depth * (u - 1));
    }
  });

  test('the rings outside the points have the messages of Sun outside its innermost ring', () => {
    for (const { n, u, depth } of divisions(2, 32)) {
      const ids = shuffled(n, n);
      const { leader, messages } = run(sunDivided, { ids, initiators: [n - 1], set: { u, depth } });
      const expected = sunLockstep(ids, u, depth, n - 1);
      const last = n / u ** depth;
      expect(leader?.position).toBe(expected.leader);
      expect({ ...messages.byType }).toEqual({
        call: expected.byType.call,
        crash: 1,
        divide: last,
        election: expected.byType.election - last,
        gather: expected.byType.gather,
        information: last,
        coordinator: expected.byType.coordinator,
      });
    }
  });

  test('at 64 nodes it is complete at 18 with 4 links and 185 messages, where S(2) needs 24 and D(1) 38', () => {
    const options = { nodes: 64, initiators: [0] };
    const both = run(sunDivided, { ...options, set: { u: 4, depth: 2 } });
    expect([both.messages.total, both.time.announcementReturnedAt]).toEqual([185, 18]);
    const alone = { ...options, crash: 'none' } as const;
    expect(run(sun, { ...alone, set: { u: 4, depth: 2 } }).time.announcementReturnedAt).toBe(24);
    expect(run(divided, { ...alone, set: { u: 4 } }).time.announcementReturnedAt).toBe(38);
  });
});

describe('the largest wins', () => {
  test('in every order up to n = 6, for every detector', () => {
    for (const { n, u, depth } of divisions(2, 6)) {
      for (const ids of permutations(n)) {
        const initiators = [ids.indexOf(1)];
        expect(run(sunDivided, { ids, initiators, set: { u, depth } }).leader?.id).toBe(n);
      }
    }
  });

  test('with any number of detectors, random delays and adversaries', () => {
    for (const { n, u, depth } of divisions(2, 32)) {
      const options = { nodes: n, seed: n, set: { u, depth } };
      for (const initiators of ['all', { random: Math.ceil(n / 2) }] as const) {
        expect(run(sunDivided, { ...options, initiators, schedule: 'random' }).leader?.id).toBe(n);
        for (const play of [{ starve: n % 5 }, { picks: [n, 7, 3, 11] }, { picks: [0] }]) {
          const schedule = { pick: adversary(play) };
          expect(run(sunDivided, { ...options, initiators, schedule }).leader?.id).toBe(n);
        }
      }
    }
  });

  test('with a single node too', () => {
    expect(simulate(sunDivided, { nodes: 1 }).leader?.id).toBe(1);
  });
});

test.each([
  ['all orders and detectors, n = 3', { nodes: 3, orders: 'all', initiators: 'subsets' }],
  [
    'all detectors, n = 4, depth 1',
    { nodes: 4, set: { u: 2, depth: 1 }, order: 'ascending', initiators: 'subsets' },
  ],
  [
    'all detectors, n = 4, depth 2',
    { nodes: 4, set: { u: 2, depth: 2 }, order: 'ascending', initiators: 'subsets' },
  ],
  ['one detector, n = 8', { nodes: 8, set: { u: 2, depth: 2 }, order: 'ascending', initiators: [1] }],
] as const)('the checker finds no schedule that fails: %s', (_, options) => {
  const result = check(sunDivided, options);
  expect(result).toMatchObject({ complete: true, exact: true, termination: 'sure', violations: [] });
});

test.each<[SimulateOptions, object]>([
  [
    { nodes: 10, set: { u: 4 } },
    { code: 'HUSTINGS_INPUT', message: expect.stringContaining('u^depth = 4^1 = 4') },
  ],
  [
    { nodes: 8, set: { u: 1 } },
    { code: 'HUSTINGS_INPUT', message: expect.stringContaining('u of sun-divided') },
  ],
  [{ nodes: 8, crash: [{ position: 8, time: 0 }] }, { assumption: 'crash' }],
  [{ nodes: 8, schedule: 'random:nofifo' }, { assumption: 'fifo' }],
])('it refuses %j', (options, error) => {
  expect(() => new Run(sunDivided, options)).toThrow(expect.objectContaining(error));
});
