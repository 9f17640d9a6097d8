/**
 * The bully of Garcia-Molina, IEEE Transactions on Computers C-31(1), 1982, in the steps of the lecture notes of the
 * National Institute of Technology Rourkela. Processes are 1..n, n is dead, T is the time-out.
 */
import { describe, expect, test } from 'vitest';
import { bully } from '../../../../src/algorithms/index.ts';
import type { SimulateOptions } from '../../../../src/simulator/options.ts';
import { type Outcome, simulate } from '../../../../src/simulator/simulate.ts';
import { expectGolden } from '../../../golden/golden.ts';
import { expectEveryLawHolds, replayOf, run } from '../../laws.ts';
import { ascending, positionSets, seeded, shuffled } from '../../orders.ts';
import { bullyClosed, bullyLockstep } from './bully.reference.ts';

/** Where the processes of these numbers are, smallest id first. */
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

describe('one process finds n dead', () => {
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

  test('it is the order of the ids that counts, not where they are nor how large', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const n = 2 + seeded(seed)(30);
      const ids = shuffled(n, seed).map((id) => id * id * 7 + 3);
      const i = 1 + seeded(seed + 1)(n - 1);
      expectAs(bullyClosed(n, [i]), { ids, initiators: positionsOf([i], ids) });
    }
  });

  test('so with 1,000 and 4,096 processes', () => {
    for (const n of [1000, 4096]) {
      for (const i of [n - 1, n - 2, n - 3, n - 40, n - 300, ...(n === 1000 ? [1] : [])]) {
        expectAs(bullyClosed(n, [i]), { ids: ascending(n), initiators: [i - 1] });
      }
    }
  });

  test('the leader knows at T+1 and the last at T+2, for i = n−1 at T and T+1; T = 3 shows the 5 of the notes', () => {
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

  test('of two processes the one left leads at T and has nobody to tell', () => {
    const { messages, time } = run(bully, { ids: [1, 2] });
    expect(messages.byType).toEqual({ election: 1, answer: 0, coordinator: 0 });
    expect([time.electedAt, time.agreedAt]).toEqual([2, 2]);
  });

  test('a process alone leads at 0 and sends nothing', () => {
    const { messages, time } = run(bully, { ids: [5] });
    expect([messages.total, time.electedAt, time.agreedAt]).toEqual([0, 0, 0]);
  });

  test('every law speaks of some run', () => {
    expectEveryLawHolds(bully, [{ initiators: 'all' }, { ids: ascending(5), initiators: [1] }]);
  });
});

describe('"several processes can initiate an election simultaneously"', () => {
  test('any set of detectors costs what the smallest of them costs alone: all sets to n = 8', () => {
    for (let n = 2; n <= 8; n++) {
      for (const set of positionSets(n - 1)) {
        const detectors = set.map((position) => position + 1);
        expectAs(bullyLockstep(n, detectors), { ids: ascending(n), initiators: set });
      }
    }
  });

  test('so in every timely schedule, in order or not: nobody calls twice, all calls are answered', () => {
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

  test('one that is dead itself detects nothing', () => {
    expectAs(bullyClosed(5, [2]), { ids: ascending(5), initiators: [4, 1] });
    expect(() => simulate(bully, { ids: ascending(5), initiators: [4] })).toThrow(/has not decided/);
  });

  test('one that notices late finds the new coordinator, or calls a new election', () => {
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

describe('when n is alive after all', () => {
  test('the highest does not ask but tells all the others at once: n−1 messages, time 1', () => {
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

  test('whoever calls: n leads, all sets to n = 7', () => {
    for (let n = 1; n <= 7; n++) {
      for (const initiators of positionSets(n)) {
        expect(run(bully, { ids: ascending(n), crash: 'none', initiators }).leader?.id).toBe(n);
      }
    }
  });

  test('a false alarm costs one election: the coordinator is called as all others are, and leads', () => {
    const { leader, messages, time } = run(bully, { ids: ascending(4), crash: 'none', initiators: [1] });
    expect(leader?.id).toBe(4);
    expect(messages.byType).toEqual({ election: 3, answer: 3, coordinator: 3 });
    expect([time.electedAt, time.agreedAt]).toEqual([1, 2]);
  });
});

describe('what it assumes', () => {
  test('"the system is synchronous": a round trip within the time-out, or it is refused', () => {
    expect(() => simulate(bully, { set: { timeout: 1 } })).toThrow(/--despite timing/);
    expect(() => simulate(bully, { schedule: 'random' })).toThrow(/--set timeout=6/);
  });

  test('"message delivery is reliable": loss and partition are refused by name', () => {
    expect(() => simulate(bully, { loss: 0.1 })).toThrow(/--despite loss/);
    const partition = [{ groups: [[0], [1]], from: 0, until: 1 }];
    expect(() => simulate(bully, { partition })).toThrow(/--despite partition/);
  });

  test('it needs a complete network', () => {
    expect(() => simulate(bully, { topology: 'ring' })).toThrow(/complete/);
  });
});

test('the golden trace: 2 finds 5 dead, 4 leads, 5 comes back', () => {
  expectGolden(new URL('bully.trace', import.meta.url), bully, {
    ids: ascending(5),
    initiators: [1],
    crash: [{ position: 4, time: 0 }],
    recover: [{ position: 4, time: 6 }],
  });
});
