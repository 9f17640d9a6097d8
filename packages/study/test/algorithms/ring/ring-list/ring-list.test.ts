/**
 * The ring algorithm with a list of live processes: Shirali et al. 2008, section 3; examples of the lecture notes of
 * the National Institute of Technology Rourkela.
 */
import { describe, expect, test } from 'vitest';
import { randomRuns } from '../../../../../../test-kit/limits/effort.ts';
import { ringList } from '../../../../src/algorithms/index.ts';
import { check } from '../../../../src/checker/index.ts';
import { simulate } from '../../../../src/simulator/simulate.ts';
import { invalid, refused } from '../../errors.ts';
import { expectEveryLawHolds, run } from '../../laws.ts';
import { ascending, seeded, shuffled, somePositions } from '../../orders.ts';
import { everyMapRing, everyMapSize, expectAsMapReference, watch } from '../ring-map-runs.ts';

describe('in lockstep', () => {
  test('matches its reference in leader, counts and times: all orders, initiators and crashed processes up to n = 4', () => {
    expectAsMapReference(ringList, false, everyMapRing(4));
  });

  test('the same holds for every n up to 64', () => {
    expectAsMapReference(ringList, false, everyMapSize());
  });
});

describe('the cost', () => {
  test('one initiator: n election and n coordinator messages; it decides at n, its announcement returns at 2n', () => {
    for (let n = 1; n <= 64; n++) {
      const initiator = seeded(n)(n);
      const { events, messages, time } = watch(ringList, { ids: shuffled(n, n), initiators: [initiator] });
      expect(messages.byType).toEqual({ election: n, coordinator: n });
      const known = events.find(({ type, node }) => type === 'decide' && node === initiator);
      expect([known?.time, time.agreedAt, time.announcementReturnedAt]).toEqual([n, 2 * n - 1, 2 * n]);
    }
  });

  test('the same holds for 1,000 and 4,096', () => {
    for (const n of [1000, 4096]) {
      const { messages, time } = run(ringList, { nodes: n, initiators: [n / 2] });
      expect([messages.election, messages.announcement, time.announcementReturnedAt]).toEqual([n, n, 2 * n]);
    }
  });

  test('"several elections at once": k initiators take k·n election and k·n coordinator messages, and all agree', () => {
    for (let n = 1; n <= 24; n++) {
      for (let k = 1; k <= n; k += 1 + Math.floor(n / 8)) {
        const options = { ids: shuffled(n, n + k), initiators: somePositions(n, k, n) };
        const { leader, messages } = run(ringList, options);
        expect([messages.election, messages.announcement, leader?.id]).toEqual([k * n, k * n, n]);
      }
    }
    const { messages } = run(ringList, { nodes: 128 });
    expect([messages.election, messages.announcement]).toEqual([128 ** 2, 128 ** 2]);
  });

  test('the old coordinator crashed: n election messages, one of them lost, n−1 for the announcement, returned at 2(n−1)+T', () => {
    for (let n = 2; n <= 64; n++) {
      for (const timeout of [2, 3, 7]) {
        const initiators = [seeded(n)(n - 1)];
        const crash = [{ position: n - 1, time: 0 }];
        const { events, leader, messages, time } = watch(ringList, {
          ids: ascending(n),
          initiators,
          crash,
          set: { timeout },
        });
        expect([messages.election, messages.announcement]).toEqual([n, n - 1]);
        expect(events.filter(({ type }) => type === 'lost').length).toBe(1);
        expect([leader?.id, time.announcementReturnedAt]).toEqual([n - 1, 2 * (n - 1) + timeout]);
      }
    }
  });

  test('half of the ring crashed: each place costs the election one message or one timeout, and no announcement is lost', () => {
    const dead = Array.from({ length: 32 }, (_, k) => 2 * k);
    const crash = dead.map((position) => ({ position, time: 0 }));
    const { messages, time } = run(ringList, { ids: ascending(64), initiators: [1, 33], crash });
    expect([messages.election, messages.announcement, time.announcementReturnedAt]).toEqual([
      2 * 64,
      2 * 32,
      2 * 32 + 32 * 2,
    ]);
  });

  test('every law applies to at least one run, and holds; also in 1,000 random runs (10,000 in long runs) with random delays', () => {
    expectEveryLawHolds(
      ringList,
      [2, 3, 8, 64].flatMap((nodes) => [
        { nodes, initiators: [0] },
        { nodes, crash: [{ position: 0, time: 0 }], initiators: [nodes - 1] },
      ]),
    );
    for (let seed = 1; seed <= randomRuns(10_000); seed++) {
      const below = seeded(seed);
      const n = 2 + below(7);
      const dead = below(3) === 0 ? [below(n)] : [];
      const initiators = somePositions(n, 1 + below(n), seed).filter((at) => !dead.includes(at));
      if (initiators.length === 0) continue;
      run(ringList, {
        ids: shuffled(n, seed),
        initiators,
        crash: dead.map((position) => ({ position, time: 0 })),
        schedule: seed % 2 === 0 ? 'random' : 'random:nofifo',
        set: { timeout: 6 },
        seed,
      });
    }
  });
});

describe('the example of the notes: 7 of the processes 0 to 7 has crashed, and both 2 and 5 are detectors', () => {
  const example = {
    ids: [0, 1, 2, 3, 4, 5, 6, 7],
    initiators: [2, 5],
    crash: [{ position: 7, time: 0 }],
  };

  test('"both 2 and 5 elected 6": their lists, and the coordinator of each', () => {
    const { events } = watch(ringList, example);
    const lists = events.flatMap((event) =>
      event.type === 'deliver' && event.message.type === 'election' && [2, 5].includes(event.node)
        ? [event.message.ids as number[]]
        : [],
    );
    expect(lists.filter(({ length }) => length === 7)).toEqual([
      [5, 6, 0, 1, 2, 3, 4],
      [2, 3, 4, 5, 6, 0, 1],
    ]);
    const words = events.flatMap((event) =>
      event.type === 'send' && event.message.type === 'coordinator' && event.node === event.message.sender
        ? [event.message]
        : [],
    );
    expect(words.map(({ sender, coordinator }) => [sender, coordinator])).toEqual([
      [5, 6],
      [2, 6],
    ]);
  });
});

describe('what it assumes', () => {
  test('a round trip within the timeout', () => {
    expect(() => simulate(ringList, { set: { timeout: 1 } })).toThrow(refused('timing'));
  });

  test('a timeout of at least 1', () => {
    expect(() => simulate(ringList, { set: { timeout: 0 } })).toThrow(invalid('timeout'));
  });
});

describe('in every schedule', () => {
  test('of 4 processes, all orders and all initiators: one leader, known to all', () => {
    const result = check(ringList, { nodes: 4, orders: 'all', initiators: 'subsets' });
    expect(result).toMatchObject({ complete: true, violations: [] });
  });

  test('of 3 processes, two messages lost at any time: the election is called again', () => {
    const result = check(ringList, { nodes: 3, order: 'descending', initiators: 'subsets', losses: 2 });
    expect(result).toMatchObject({ complete: true, violations: [] });
  });
});
