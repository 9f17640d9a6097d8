/**
 * The bully of Garcia-Molina, IEEE Transactions on Computers C-31(1), 1982, with the steps of the lecture notes of
 * the National Institute of Technology Rourkela. Processes are 1..n, n has crashed, T is the timeout.
 */
import { describe, expect, test } from 'vitest';
import { bully } from '../../../../src/algorithms/index.ts';
import type { SimulateOptions } from '../../../../src/simulator/plan/options.ts';
import { type Outcome, simulate } from '../../../../src/simulator/simulate.ts';
import { refused } from '../../errors.ts';
import { expectEveryLawHolds, replayOf, run } from '../../laws.ts';
import { ascending, positionSets, seeded, shuffled } from '../../orders.ts';
import { bullyClosed } from './bully.reference.ts';

/** The positions of the processes with these numbers, counted from the smallest id. */
function positionsOf(numbers: readonly number[], ids: readonly number[]): number[] {
  const sorted = [...ids].sort((a, b) => a - b);
  return numbers.map((number) => ids.indexOf(sorted[number - 1]));
}

function expectAs(expected: ReturnType<typeof bullyClosed>, options: SimulateOptions): Outcome {
  const outcome = run(bully, options);
  const { messages, time } = outcome;
  const seen = [{ ...messages.byType }, time.electedAt, time.agreedAt];
  const wanted = [expected.byType, expected.electedAt, expected.agreedAt];
  if (JSON.stringify(seen) !== JSON.stringify(wanted)) {
    throw new Error(
      `${JSON.stringify(seen)}, not ${JSON.stringify(wanted)}; replay: ${replayOf(bully, options)}`,
    );
  }
  return outcome;
}

describe('one process detects the crash of n', () => {
  test('(n−i)(n−i+1)/2 election, (n−i)(n−i−1)/2 answer, n−2 coordinator: every i, n from 2 to 64', () => {
    for (let n = 2; n <= 64; n++) {
      for (let i = 1; i < n; i++) {
        const { leader, messages } = expectAs(bullyClosed(n, [i]), {
          ids: ascending(n),
          initiators: [i - 1],
        });
        expect(leader?.id).toBe(n - 1);
        expect(messages.byType).toEqual({
          election: ((n - i) * (n - i + 1)) / 2,
          answer: ((n - i) * (n - i - 1)) / 2,
          coordinator: n - 2,
        });
      }
    }
  });

  test('the cost depends only on the order of the ids, not on their positions or values', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const n = 2 + seeded(seed)(30);
      const ids = shuffled(n, seed).map((id) => id * id * 7 + 3);
      const i = 1 + seeded(seed + 1)(n - 1);
      expectAs(bullyClosed(n, [i]), { ids, initiators: positionsOf([i], ids) });
    }
  });

  test('the same holds for 1,000 and 4,096 processes', () => {
    for (const n of [1000, 4096]) {
      for (const i of [n - 1, n - 2, n - 3, n - 40, n - 300, ...(n === 1000 ? [1] : [])]) {
        expectAs(bullyClosed(n, [i]), { ids: ascending(n), initiators: [i - 1] });
      }
    }
  });

  test('the leader decides at T+1 and the last at T+2, for i = n−1 at T and T+1; T = 3 gives the 5 of the notes', () => {
    for (const timeout of [2, 3, 7, 100]) {
      for (let n = 3; n <= 12; n++) {
        for (let i = 1; i < n; i++) {
          const { time } = run(bully, { ids: ascending(n), initiators: [i - 1], set: { timeout } });
          const late = i === n - 1 ? 0 : 1;
          expect([time.electedAt, time.agreedAt]).toEqual([timeout + late, timeout + late + 1]);
        }
      }
    }
    const { time } = run(bully, { ids: ascending(8), initiators: [0], set: { timeout: 3 } });
    expect(time.agreedAt).toBe(5);
  });

  test('of two processes the live one leads at T and sends no announcement', () => {
    const { messages, time } = run(bully, { ids: [1, 2] });
    expect(messages.byType).toEqual({ election: 1, answer: 0, coordinator: 0 });
    expect([time.electedAt, time.agreedAt]).toEqual([2, 2]);
  });

  test('a single process leads at 0 and sends nothing', () => {
    const { messages, time } = run(bully, { ids: [5] });
    expect([messages.total, time.electedAt, time.agreedAt]).toEqual([0, 0, 0]);
  });

  test('every law applies to at least one run, and holds', () => {
    expectEveryLawHolds(bully, [{ initiators: 'all' }, { ids: ascending(5), initiators: [1] }]);
  });
});

describe('"several processes can initiate an election simultaneously"', () => {
  test('any set of detectors costs what the smallest of them costs alone: all sets up to n = 8', () => {
    for (let n = 2; n <= 8; n++) {
      for (const set of positionSets(n - 1)) {
        const detectors = set.map((position) => position + 1);
        expectAs(bullyClosed(n, detectors), { ids: ascending(n), initiators: set });
      }
    }
  });

  test('the same holds in every bounded-delay schedule, with or without FIFO: every process calls once, and all calls are answered', () => {
    for (let seed = 1; seed <= 3000; seed++) {
      const below = seeded(seed);
      const n = 2 + below(11);
      const sets = Array.from({ length: n - 1 }, (_, position) => position).filter(() => below(3) === 0);
      const initiators = sets.length > 0 ? sets : [below(n - 1)];
      const options: SimulateOptions = {
        ids: ascending(n),
        initiators,
        schedule: seed % 2 === 0 ? 'random' : 'random:nofifo',
        seed,
        set: { timeout: 6 },
      };
      const { leader, messages } = run(bully, options);
      const { byType } = bullyClosed(n, [Math.min(...initiators) + 1]);
      if (leader?.id !== n - 1 || JSON.stringify(messages.byType) !== JSON.stringify(byType)) {
        expect(messages.byType, replayOf(bully, options)).toEqual(byType);
      }
    }
  });

  test('a crashed process detects nothing', () => {
    expectAs(bullyClosed(5, [2]), { ids: ascending(5), initiators: [4, 1] });
    expect(() => simulate(bully, { ids: ascending(5), initiators: [4] })).toThrow('must be alive');
  });

  test('a late detector learns the new coordinator, or calls a new election', () => {
    for (let n = 3; n <= 6; n++) {
      for (let first = 0; first < n - 1; first++) {
        for (let second = 0; second < n - 1; second++) {
          for (let time = 0.5; time <= 8; time += 0.5) {
            if (first === second) continue;
            const initiators = [
              { position: first, time: 0 },
              { position: second, time },
            ];
            expect(run(bully, { ids: ascending(n), initiators }).leader?.id).toBe(n - 1);
          }
        }
      }
    }
  });
});

describe('if n is alive', () => {
  test('the largest process calls none and announces itself at once: n−1 messages, time 1', () => {
    for (const n of [2, 3, 16, 64]) {
      const { leader, messages, time } = run(bully, {
        ids: ascending(n),
        crash: 'none',
        initiators: [n - 1],
      });
      expect([leader?.id, messages.total, messages.announcement]).toEqual([n, n - 1, n - 1]);
      expect([time.electedAt, time.agreedAt]).toEqual([0, 1]);
    }
  });

  test('n leads whichever processes call: all sets up to n = 7', () => {
    for (let n = 1; n <= 7; n++) {
      for (const initiators of positionSets(n)) {
        expect(run(bully, { ids: ascending(n), crash: 'none', initiators }).leader?.id).toBe(n);
      }
    }
  });

  test('a false suspicion costs one election: the coordinator is called like all others, and leads', () => {
    const { leader, messages, time } = run(bully, { ids: ascending(4), crash: 'none', initiators: [1] });
    expect(leader?.id).toBe(4);
    expect(messages.byType).toEqual({ election: 3, answer: 3, coordinator: 3 });
    expect([time.electedAt, time.agreedAt]).toEqual([1, 2]);
  });
});

describe('what it assumes', () => {
  test('"the system is synchronous": a timeout shorter than a round trip is refused', () => {
    expect(() => simulate(bully, { set: { timeout: 1 } })).toThrow(refused('timing'));
  });
});
