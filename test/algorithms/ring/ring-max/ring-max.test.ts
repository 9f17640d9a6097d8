/**
 * The modified ring algorithm: Shirali et al. 2008, section 3; steps as in the lecture notes of the National Institute
 * of Technology Rourkela.
 */
import { describe, expect, test } from 'vitest';
import { ringMax } from '../../../../src/algorithms/index.ts';
import { check } from '../../../../src/checker/index.ts';
import { simulate } from '../../../../src/simulator/simulate.ts';
import { expectGolden } from '../../../golden/golden.ts';
import { expectEveryLawHolds, run } from '../../laws.ts';
import { ascending, descending, harmonic, seeded, shuffled, somePositions } from '../../orders.ts';
import { changRobertsElection, changRobertsWorst } from '../chang-roberts/chang-roberts.reference.ts';
import { everyMapRing, everyMapSize, expectAsMapReference, watch } from '../ring-map-runs.ts';

describe('in lockstep', () => {
  test('it elects, counts and times as its reference: all orders, initiators and dead to n = 4', () => {
    expectAsMapReference(ringMax, true, everyMapRing(4));
  });

  test('so for every n to 64', () => {
    expectAsMapReference(ringMax, true, everyMapSize());
  });
});

describe('the cost', () => {
  test('one initiator: as the ring with a list, and the message is two ids and a term long', () => {
    for (let n = 1; n <= 64; n++) {
      const initiator = seeded(n)(n);
      const { events, messages, time } = watch(ringMax, { ids: shuffled(n, n), initiators: [initiator] });
      expect(messages.byType).toEqual({ election: n, coordinator: n });
      const known = events.find(({ type, node }) => type === 'decide' && node === initiator);
      expect([known?.time, time.agreedAt, time.announcementReturnedAt]).toEqual([n, 2 * n - 1, 2 * n]);
    }
  });

  test('k initiators: E exactly that of Chang–Roberts with the same ones, A = n, and the largest of all wins', () => {
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

  test('so on 1,000 and 4,096, whoever initiates', () => {
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

  test('"an order of n²" at worst, when all initiate: n(n+1)/2; 2n−1 at best', () => {
    for (const n of [3, 8, 64]) {
      expect(run(ringMax, { ids: descending(n) }).messages.election).toBe(changRobertsWorst(n, n));
      expect(run(ringMax, { ids: ascending(n) }).messages.election).toBe(2 * n - 1);
    }
  });

  test('n·H_n in the mean: within three standard errors for n = 1,024', () => {
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

  test('the old coordinator dead: n messages of which one is lost, n−1 to announce, home 2(n−1)+T', () => {
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

  test('every law speaks of some run, and holds; and on 10,000 random ones with random delays', () => {
    expectEveryLawHolds(
      ringMax,
      [2, 3, 8, 64].flatMap((nodes) => [
        { nodes },
        { nodes, crash: [{ position: 0, time: 0 }], initiators: [nodes - 1] },
      ]),
    );
    for (let seed = 1; seed <= 10_000; seed++) {
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

describe('what an initiator kills', () => {
  test('"if its number is bigger than the number of the sender, it will kill the message"', () => {
    const { events } = watch(ringMax, { ids: [1, 5, 2, 4, 3], initiators: [0, 3] });
    const homeward = events.filter(
      (event) =>
        event.type === 'deliver' && event.message.type === 'election' && event.message.initiator === 1,
    );
    // 1 > 5 > 2 > 4, and 4 is an initiator; 5 is larger, but no initiator, and lets it pass.
    expect(homeward.map(({ node }) => node)).toEqual([1, 2, 3]);
  });

  test('where messages overtake one another two elections may come to their end; they agree', () => {
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

  test('the golden trace: 1 and 3 of four find the coordinator dead, which comes back later', () => {
    expectGolden(new URL('ring-max.trace', import.meta.url), ringMax, {
      ids: [1, 4, 2, 3],
      initiators: [0, 3],
      crash: [{ position: 1, time: 0 }],
      recover: [{ position: 1, time: 10 }],
    });
  });
});

describe('what it assumes', () => {
  test('a round trip within the time-out', () => {
    expect(() => simulate(ringMax, { set: { timeout: 1 } })).toThrow(/--despite timing/);
    expect(() => simulate(ringMax, { schedule: 'random' })).toThrow(/--set timeout=6/);
  });

  test('a time-out from 1, and a ring', () => {
    expect(() => simulate(ringMax, { set: { timeout: 0 } })).toThrow(
      "timeout of ring-max must be an integer from 1 to 1000000, not '0'",
    );
    expect(() => simulate(ringMax, { topology: 'complete' })).toThrow(/use --topology ring/);
  });
});

describe('every schedule', () => {
  test('of 4 processes, all orders and all initiators: one leader, known to all', () => {
    const result = check(ringMax, { nodes: 4, orders: 'all', initiators: 'subsets' });
    expect(result).toMatchObject({ complete: true, violations: [] });
  });

  test('of 3, two messages lost at any moment: what is lost is called for again', () => {
    const result = check(ringMax, { nodes: 3, order: 'descending', initiators: 'subsets', losses: 2 });
    expect(result).toMatchObject({ complete: true, violations: [] });
  });
});
