/**
 * Kordafshari, Gholipour, Jahanshahi, Haghighat 2005, with the steps of the lecture notes of the National Institute
 * of Technology Rourkela. Processes are 1..n, and n has crashed.
 */
import { describe, expect, test } from 'vitest';
import { bullyGrant } from '../../../../src/algorithms/index.ts';
import { simulate } from '../../../../src/simulator/simulate.ts';
import { invalid } from '../../errors.ts';
import { expectEveryLawHolds, run } from '../../laws.ts';
import { ascending, positionSets, seeded, shuffled } from '../../orders.ts';
import { bullyGrantLockstep } from '../bully-variants.reference.ts';
import { everyDetector, everySet, expectAs } from '../coordinator-crash.ts';

describe('one process detects the crash of n', () => {
  const byTypeOf = (n: number, i: number) => ({
    election: n - i,
    answer: n - i - 1,
    grant: i === n - 1 ? 0 : 1,
    coordinator: n - 2,
  });

  test('n−i election, n−i−1 answer, 1 grant, n−2 coordinator, T+2 = 4; no grant and 3 if i = n−1: n up to 64', () => {
    for (const { n, i, options } of everyDetector()) {
      const electedAt = i === n - 1 ? 2 : 3;
      const agreedAt = n === 2 ? 2 : electedAt + 1;
      expectAs(bullyGrant, { leader: n - 1, byType: byTypeOf(n, i), electedAt, agreedAt }, options);
    }
  });

  test('the same holds for 1,000 and 4,096 processes', () => {
    for (const n of [1000, 4096]) {
      for (const i of [1, 2, n / 2, n - 2, n - 1]) {
        const agreedAt = i === n - 1 ? 3 : 4;
        expectAs(
          bullyGrant,
          { byType: byTypeOf(n, i), agreedAt },
          { ids: ascending(n), initiators: [i - 1] },
        );
      }
    }
  });

  test('the cost depends only on the order of the ids, and the time on T', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const n = 3 + seeded(seed)(30);
      const ids = shuffled(n, seed).map((id) => id * id * 7 + 3);
      const timeout = 2 + (seed % 5);
      const { time } = run(bullyGrant, {
        ids,
        initiators: [ids.indexOf(Math.min(...ids))],
        set: { timeout },
      });
      expect(time.agreedAt).toBe(timeout + 2);
    }
  });

  test('every law applies to at least one run, and holds', () => {
    expectEveryLawHolds(bullyGrant, [{ initiators: 'all' }, { ids: ascending(5), initiators: [1] }]);
  });
});

describe('any set of detectors', () => {
  test('each of them calls and is answered, and the smallest grants: all sets up to n = 8, according to the reference', () => {
    for (const { n, detectors, options } of everySet()) {
      const expected = bullyGrantLockstep(n, detectors);
      const sum = (figure: (i: number) => number) => detectors.reduce((all, i) => all + figure(i), 0);
      const grant = detectors[0] === n - 1 ? 0 : 1;
      const byType = {
        election: sum((i) => n - i),
        answer: sum((i) => n - i - 1),
        grant,
        coordinator: n - 2,
      };
      expect(expected.byType).toEqual(byType);
      expectAs(bullyGrant, expected, options);
    }
  });

  test('if n is alive, n leads whichever processes call: all sets up to n = 7', () => {
    for (let n = 1; n <= 7; n++) {
      for (const initiators of positionSets(n)) {
        expect(run(bullyGrant, { ids: ascending(n), crash: 'none', initiators }).leader?.id).toBe(n);
      }
    }
  });
});

describe('what it assumes', () => {
  test('a timeout of at least 1', () => {
    expect(() => simulate(bullyGrant, { set: { timeout: 0 } })).toThrow(invalid('timeout'));
  });
});

test('a recovered n waits 2T, calls, and leads', () => {
  const { leader, time } = run(bullyGrant, {
    ids: ascending(5),
    initiators: [1],
    crash: [{ position: 4, time: 0 }],
    recover: [{ position: 4, time: 10 }],
  });
  expect([leader?.id, time.electedAt, time.agreedAt]).toEqual([5, 14, 15]);
});
