/** Shirali, Haghighat Toroghi and Vojdani, Leader election algorithms: history and novel schemes, 2008, section 6. */
import { describe, expect, test } from 'vitest';
import { effort } from '../../../../../../test-kit/limits/effort.ts';
import { divided } from '../../../../src/algorithms/index.ts';
import { check } from '../../../../src/checker/index.ts';
import { defineAlgorithm } from '../../../../src/kernel/index.ts';
import type { SimulateOptions } from '../../../../src/simulator/plan/options.ts';
import { Run, simulate } from '../../../../src/simulator/simulate.ts';
import { expectEveryLawHolds, run } from '../../laws.ts';
import { permutations, shuffled } from '../../orders.ts';
import { divisions } from '../divisions.ts';
import { expectAsReference } from '../ring-runs.ts';
import { dividedClosed, informerDownClosed } from './divided.reference.ts';

const MAX_NODES = effort({ quick: 32, full: 64 });

const allLive = { crash: 'none' } as const;
const informerDown = (n: number) => ({ crash: [{ position: n, time: 0 }] });

/** Searches in which the largest id has crashed at the start. */
const coordinatorDead = defineAlgorithm({ ...divided, trigger: 'coordinator dead' });

describe('the cost of Divided(d), one detector', () => {
  test('2n + 5u^d + c + a messages, complete at a + c + 2 + 3d + 2n/u^d; informer crashed: 2n + u^d, returned at 2n', () => {
    const runs = [...divisions(2, MAX_NODES)].flatMap(({ n, u, depth }) =>
      [0, 1, n - 1].flatMap((detector) =>
        [allLive, informerDown(n)].map((crash) => ({
          ids: shuffled(n, n + detector),
          initiators: [detector],
          set: { u, depth, successors: 2 },
          ...crash,
        })),
      ),
    );
    expectEveryLawHolds(divided, runs);
  });

  test('the same holds for 1,000 and 4,096 nodes', () => {
    for (const [nodes, u, depth] of [
      [1000, 10, 1],
      [1000, 5, 3],
      [4096, 4, 3],
      [4096, 2, 8],
    ]) {
      const options = { nodes, initiators: [nodes - 5], set: { u, depth, successors: 2 } };
      run(divided, { ...options, ...allLive });
      run(divided, { ...options, ...informerDown(nodes) });
    }
  });

  test('agrees with its reference on leader, counts and times, for every detector', () => {
    for (const { n, u, depth } of divisions(2, 20)) {
      const set = { u, depth };
      for (let detector = 0; detector < n; detector++) {
        const rings = [{ ids: shuffled(n, 100 * n + detector), initiators: [detector] }];
        const down = (ids: readonly number[]) => informerDownClosed(ids, u ** depth, detector);
        expectAsReference(divided, down, rings, { set, ...informerDown(n) });
        if (n / u ** depth < 2 * depth) continue;
        const whole = (ids: readonly number[]) => dividedClosed(ids, u, depth, detector);
        expectAsReference(divided, whole, rings, { set, ...allLive });
      }
    }
  });

  test('from `divide` on 2n + 3u^d messages, complete 3d + 2n/u^d later, one less for u = 2 and d > 1', () => {
    for (const { n, u, depth } of divisions(2, MAX_NODES)) {
      if (n / u ** depth < 2 * depth) continue;
      let left: number | null = null;
      const { messages, time } = run(divided, {
        nodes: n,
        initiators: [0],
        set: { u, depth, successors: 1 },
        ...allLive,
        observe: (event) => {
          if (event.type === 'send' && event.message.type === 'divide') left ??= event.time;
        },
      });
      const { token, divide, information, coordinator } = messages.byType;
      expect(token + divide + information + coordinator).toBe(2 * n + 3 * u ** depth);
      const sooner = u === 2 && depth > 1 ? 1 : 0;
      expect(time.announcementReturnedAt).toBe(Number(left) + 3 * depth + (2 * n) / u ** depth - sooner);
    }
  });

  test("the paper's table for 64 nodes: D(1) 140 and 35 from `divide`, 149 and 38 in all; D(2) 176 and 14, 209 and 17", () => {
    const figures = [1, 2].map((depth) => {
      const { messages, time } = run(divided, {
        nodes: 64,
        initiators: [0],
        set: { u: 4, depth },
        ...allLive,
      });
      const { crash, election, reply } = messages.byType;
      return [
        messages.total - crash - election - reply,
        Number(time.announcementReturnedAt) - 3,
        messages.total,
        time.announcementReturnedAt,
      ];
    });
    expect(figures).toEqual([
      [140, 35, 149, 38],
      [176, 14, 209, 17],
    ]);
  });
});

describe('the largest wins', () => {
  test('in every order up to n = 6, with and without the informer', () => {
    for (const { n, u, depth } of divisions(2, 6)) {
      for (const ids of permutations(n)) {
        const options = { ids, initiators: [ids.indexOf(1)], set: { u, depth } };
        expect(run(divided, { ...options, ...allLive }).leader?.id).toBe(n);
        expect(run(divided, { ...options, ...informerDown(n) }).leader?.id).toBe(n);
      }
    }
  });

  test('with any number of detectors and any delays', () => {
    for (const { n, u, depth } of divisions(2, 32)) {
      for (const schedule of ['lockstep', 'random'] as const) {
        const options = { nodes: n, seed: n, schedule, set: { u, depth, timeout: 6 } };
        expect(run(divided, { ...options, ...allLive }).leader?.id).toBe(n);
        const some = { ...options, initiators: { random: Math.ceil(n / 2) } };
        expect(run(divided, { ...some, ...informerDown(n) }).leader?.id).toBe(n);
      }
    }
  });

  test('with crashed points: their part is read by the next point', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const ids = shuffled(16, seed);
      const dead = [0, 2, 4, 6].slice(0, 1 + (seed % 4)).map((k) => (2 * (k + seed)) % 16);
      const crash = dead.map((position) => ({ position, time: 0 }));
      const initiators = [15 - ((2 * seed) % 16)];
      const { leader } = run(divided, { ids, initiators, crash, set: { u: 2, depth: 3 } });
      expect(leader?.id).toBe(Math.max(...ids.filter((_, at) => !dead.includes(at))));
    }
  });
});

describe('the checker finds no schedule that fails', () => {
  test.each([
    ['all detectors, n = 4, depth 1', { nodes: 4, set: { u: 2, depth: 1 }, order: 'ascending' }],
    ['all detectors, n = 4, depth 2', { nodes: 4, set: { u: 2, depth: 2 }, order: 'ascending' }],
    ['all orders and detectors, n = 3', { nodes: 3, orders: 'all' }],
  ] as const)('no crash: %s', (_, options) => {
    const result = check(divided, { ...options, initiators: 'subsets' });
    expect(result).toMatchObject({ complete: true, exact: true, termination: 'sure', violations: [] });
  });

  test.each([
    ['all orders and detectors, n = 3', { nodes: 3, orders: 'all', initiators: 'subsets' }],
    ['one more crash, n = 3', { nodes: 3, order: 'ascending', initiators: [0], crashes: 1 }],
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

test('with depth 0 the informer has one point, whose part is the whole ring, and with a single node too', () => {
  for (const n of [1, 2, 5]) {
    expect(simulate(divided, { nodes: n, set: { depth: 0 }, ...allLive }).leader?.id).toBe(n);
  }
});

describe('Divided refuses', () => {
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
      { code: 'HUSTINGS_INPUT', message: expect.stringContaining('u of divided') },
    ],
    [
      { nodes: 8, initiators: [8] },
      { code: 'HUSTINGS_INPUT', message: expect.stringMatching(/initiator.*8/) },
    ],
    [{ nodes: 8, topology: 'star' }, { assumption: 'network' }],
    [{ nodes: 8, duplicate: 0.1 }, { assumption: 'duplication' }],
    [
      { nodes: 8, schedule: 'random' },
      { assumption: 'timing', remedies: expect.arrayContaining([{ option: 'set', value: 'timeout=6' }]) },
    ],
  ])('%j', (options, error) => {
    expect(() => new Run(divided, options)).toThrow(expect.objectContaining(error));
  });
});
