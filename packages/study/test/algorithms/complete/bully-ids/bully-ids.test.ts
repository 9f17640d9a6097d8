/**
 * Shirali, Haghighat Toroghi, Vojdani: Leader election algorithms, section 2.1. Processes are 1..n, and n has
 * crashed.
 */
import { describe, expect, test } from 'vitest';
import { bullyIds } from '../../../../src/algorithms/index.ts';
import { simulate } from '../../../../src/simulator/simulate.ts';
import { invalid } from '../../errors.ts';
import { expectEveryLawHolds, run } from '../../laws.ts';
import { ascending, positionSets, seeded, shuffled } from '../../orders.ts';
import { bullyIdsLockstep } from '../bully-variants.reference.ts';
import { everyDetector, everySet, expectAs } from '../coordinator-crash.ts';

describe('one process detects the crash of n', () => {
  test('2(n−i)−1 + n−2 messages, and the last node decides at T+1 = 3: every i, n from 2 to 64', () => {
    for (const { n, i, options } of everyDetector()) {
      const byType = { election: n - i, answer: n - i - 1, coordinator: n - 2 };
      const electedAt = i === n - 1 ? 2 : 3;
      const { messages } = expectAs(
        bullyIds,
        { leader: n - 1, byType, electedAt, agreedAt: n === 2 ? 2 : 3 },
        options,
      );
      expect(messages.total).toBe(2 * (n - i) - 1 + n - 2);
    }
  });

  test('with 64 processes and detector P[32]: 125 messages in 3 units, where the paper has 128 and 3', () => {
    const { messages, time } = run(bullyIds, { ids: ascending(64), initiators: [31] });
    expect([messages.total, time.agreedAt]).toEqual([125, 3]);
  });

  test('the same holds for 1,000 and 4,096 processes', () => {
    for (const n of [1000, 4096]) {
      for (const i of [1, 2, n / 2, n - 2, n - 1]) {
        const byType = { election: n - i, answer: n - i - 1, coordinator: n - 2 };
        expectAs(bullyIds, { byType, agreedAt: 3 }, { ids: ascending(n), initiators: [i - 1] });
      }
    }
  });

  test('the cost depends only on the order of the ids, and the time on T', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const n = 3 + seeded(seed)(30);
      const ids = shuffled(n, seed).map((id) => id * id * 7 + 3);
      const timeout = 2 + (seed % 5);
      const { time } = run(bullyIds, { ids, initiators: [ids.indexOf(Math.min(...ids))], set: { timeout } });
      expect(time.agreedAt).toBe(timeout + 1);
    }
  });

  test('every law applies to at least one run, and holds', () => {
    expectEveryLawHolds(bullyIds, [{ initiators: 'all' }, { ids: ascending(5), initiators: [1] }]);
  });
});

describe('any set of detectors', () => {
  test('each of them calls and is answered, and the smallest announces: all sets up to n = 8, according to the reference', () => {
    for (const { n, detectors, options } of everySet()) {
      const expected = bullyIdsLockstep(n, detectors);
      const sum = (figure: (i: number) => number) => detectors.reduce((all, i) => all + figure(i), 0);
      const byType = { election: sum((i) => n - i), answer: sum((i) => n - i - 1), coordinator: n - 2 };
      expect(expected.byType).toEqual(byType);
      expectAs(bullyIds, expected, options);
    }
  });

  test('if n is alive, n leads whichever processes call: all sets up to n = 7', () => {
    for (let n = 1; n <= 7; n++) {
      for (const initiators of positionSets(n)) {
        expect(run(bullyIds, { ids: ascending(n), crash: 'none', initiators }).leader?.id).toBe(n);
      }
    }
  });
});

describe('what it assumes', () => {
  test('a timeout of at least 1', () => {
    expect(() => simulate(bullyIds, { set: { timeout: 0 } })).toThrow(invalid('timeout'));
  });
});

test('a recovered n waits 2T, calls, and leads', () => {
  const { leader, time } = run(bullyIds, {
    ids: ascending(5),
    initiators: [1],
    crash: [{ position: 4, time: 0 }],
    recover: [{ position: 4, time: 10 }],
  });
  expect([leader?.id, time.electedAt, time.agreedAt]).toEqual([5, 14, 15]);
});
