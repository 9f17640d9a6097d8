/**
 * The modified ring algorithm: Shirali et al. 2008, section 3; steps of the lecture notes of the National Institute
 * of Technology Rourkela.
 */
import { describe, expect, test } from 'vitest';
import { randomRuns } from '../../../../../../test-kit/limits/effort.ts';
import { ringMax } from '../../../../src/algorithms/index.ts';
import { check } from '../../../../src/checker/index.ts';
import { simulate } from '../../../../src/simulator/simulate.ts';
import { invalid, refused } from '../../errors.ts';
import { expectEveryLawHolds, run } from '../../laws.ts';
import { ascending, descending, harmonic, seeded, shuffled, somePositions } from '../../orders.ts';
import { changRobertsElection, changRobertsWorst } from '../chang-roberts/chang-roberts.reference.ts';
import { everyMapRing, everyMapSize, expectAsMapReference, watch } from '../ring-map-runs.ts';

describe('in lockstep', () => {
  test('matches its reference in leader, counts and times: all orders, initiators and crashed processes up to n = 4', () => {
    expectAsMapReference(ringMax, true, everyMapRing(4));
  });

  test('the same holds for every n up to 64', () => {
    expectAsMapReference(ringMax, true, everyMapSize());
  });
});

describe('the cost', () => {
  test('one initiator: the counts of the ring with a list, and a message consists of two ids and a term', () => {
    for (let n = 1; n <= 64; n++) {
      const initiator = seeded(n)(n);
      const { events, messages, time } = watch(ringMax, { ids: shuffled(n, n), initiators: [initiator] });
      expect(messages.byType).toEqual({ election: n, coordinator: n });
      const known = events.find(({ type, node }) => type === 'decide' && node === initiator);
      expect([known?.time, time.agreedAt, time.announcementReturnedAt]).toEqual([n, 2 * n - 1, 2 * n]);
    }
  });

  test('k initiators: E is exactly that of Chang–Roberts with the same initiators, A = n, and the largest of all wins', () => {
    for (let n = 1; n <= 64; n++) {
      for (let k = 1; k <= n; k += 1 + Math.floor(n / 6)) {
        const ids = shuffled(n, n * k);
        const initiators = somePositions(n, k, n);
        const { leader, messages, time } = run(ringMax, { ids, initiators });
        expect([messages.election, messages.announcement]).toEqual([
          changRobertsElection(ids, initiators),
          n,
        ]);
        expect([leader?.id, time.announcementReturnedAt]).toEqual([n, 2 * n]);
      }
    }
  });

  test('the same holds for 1,000 and 4,096, whichever processes initiate', () => {
    for (const n of [1000, 4096]) {
      for (const k of [1, n / 4, n]) {
        const ids = shuffled(n, k);
        const initiators = somePositions(n, k, n);
        const { leader, messages, time } = run(ringMax, { ids, initiators });
        expect([messages.election, messages.announcement]).toEqual([
          changRobertsElection(ids, initiators),
          n,
        ]);
        expect([leader?.id, time.announcementReturnedAt]).toEqual([n, 2 * n]);
      }
    }
  });

  test('"an order of n²" in the worst case, if all initiate: n(n+1)/2; 2n−1 in the best case', () => {
    for (const n of [3, 8, 64]) {
      expect(run(ringMax, { ids: descending(n) }).messages.election).toBe(changRobertsWorst(n, n));
      expect(run(ringMax, { ids: ascending(n) }).messages.election).toBe(2 * n - 1);
    }
  });

  test('n·H_n on average: within three standard errors for n = 1,024', () => {
    const [n, runs] = [1024, 60];
    let [sum, squares] = [0, 0];
    for (let seed = 1; seed <= runs; seed++) {
      const { election } = run(ringMax, { ids: shuffled(n, seed) }).messages;
      sum += election;
      squares += election ** 2;
    }
    const mean = sum / runs;
    const error = Math.sqrt((squares / runs - mean ** 2) / (runs - 1));
    expect(Math.abs(mean - n * harmonic(n))).toBeLessThan(3 * error);
  });

  test('the old coordinator crashed: n election messages, one of them lost, n−1 for the announcement, returned at 2(n−1)+T', () => {
    for (let n = 2; n <= 64; n++) {
      for (const timeout of [2, 3, 7]) {
        const { events, leader, messages, time } = watch(ringMax, {
          ids: ascending(n),
          initiators: [seeded(n)(n - 1)],
          crash: [{ position: n - 1, time: 0 }],
          set: { timeout },
        });
        expect([messages.election, messages.announcement]).toEqual([n, n - 1]);
        expect(events.filter(({ type }) => type === 'lost').length).toBe(1);
        expect([leader?.id, time.announcementReturnedAt]).toEqual([n - 1, 2 * (n - 1) + timeout]);
      }
    }
  });

  test('every law applies to at least one run, and holds; also in 1,000 random runs (10,000 in long runs) with random delays', () => {
    expectEveryLawHolds(
      ringMax,
      [2, 3, 8, 64].flatMap((nodes) => [
        { nodes },
        { nodes, crash: [{ position: 0, time: 0 }], initiators: [nodes - 1] },
      ]),
    );
    for (let seed = 1; seed <= randomRuns(10_000); seed++) {
      const below = seeded(seed);
      const n = 2 + below(9);
      const dead = below(3) === 0 ? [below(n)] : [];
      const initiators = somePositions(n, 1 + below(n), seed).filter((at) => !dead.includes(at));
      if (initiators.length === 0) continue;
      run(ringMax, {
        ids: shuffled(n, seed),
        initiators,
        crash: dead.map((position) => ({ position, time: 0 })),
        schedule: 'random',
        set: { timeout: 6 },
        seed,
      });
    }
  });
});

describe('the messages that an initiator discards', () => {
  test('"if its number is bigger than the number of the sender, it will kill the message"', () => {
    const { events } = watch(ringMax, { ids: [1, 5, 2, 4, 3], initiators: [0, 3] });
    const homeward = events.filter(
      (event) =>
        event.type === 'deliver' && event.message.type === 'election' && event.message.initiator === 1,
    );
    // 1 > 5 > 2 > 4, and 4 is an initiator; 5 is larger, but not an initiator, and forwards it.
    expect(homeward.map(({ node }) => node)).toEqual([1, 2, 3]);
  });

  test('without FIFO two elections may complete; they agree', () => {
    let twice = 0;
    for (let seed = 1; seed <= 400; seed++) {
      const options = {
        ids: shuffled(5, seed),
        schedule: 'random:nofifo',
        seed,
        set: { timeout: 6 },
      } as const;
      const { leader, messages } = run(ringMax, options);
      expect(leader?.id).toBe(5);
      if (messages.announcement > 5) twice++;
    }
    expect(twice).toBeGreaterThan(0);
  });
});

describe('what it assumes', () => {
  test('a round trip within the timeout', () => {
    expect(() => simulate(ringMax, { set: { timeout: 1 } })).toThrow(refused('timing'));
  });

  test('a timeout of at least 1', () => {
    expect(() => simulate(ringMax, { set: { timeout: 0 } })).toThrow(invalid('timeout'));
  });
});

describe('in every schedule', () => {
  test('of 4 processes, all orders and all initiators: one leader, known to all', () => {
    const result = check(ringMax, { nodes: 4, orders: 'all', initiators: 'subsets' });
    expect(result).toMatchObject({ complete: true, violations: [] });
  });

  test('of 3 processes, two messages lost at any time: the election is called again', () => {
    const result = check(ringMax, { nodes: 3, order: 'descending', initiators: 'subsets', losses: 2 });
    expect(result).toMatchObject({ complete: true, violations: [] });
  });
});
