/**
 * Arghavani, Ahmadi, Haghighat 2011, with the steps of the lecture notes of the National Institute of Technology
 * Rourkela. Processes are 1..n; n has crashed and had declared n−1.
 */
import { describe, expect, test } from 'vitest';
import { bullySuccessor } from '../../../../src/algorithms/index.ts';
import { simulate } from '../../../../src/simulator/simulate.ts';
import { invalid } from '../../errors.ts';
import { expectEveryLawHolds, run } from '../../laws.ts';
import { ascending, positionSets } from '../../orders.ts';
import { bullySuccessorLockstep } from '../bully-variants.reference.ts';
import { everyDetector, everySet, expectAs } from '../coordinator-crash.ts';

const BULLY = { election: 0, answer: 0 };

describe('one process detects the crash of n, and n−1 is alive', () => {
  test('n−2 coordinator messages and time 1 if the detector is n−1, one call more and time 2 otherwise: every i, n from 2 to 64', () => {
    for (const { n, i, options } of everyDetector()) {
      const [call, electedAt] = i === n - 1 ? [0, 0] : [1, 1];
      const byType = { call, ...BULLY, coordinator: n - 2 };
      const agreedAt = n === 2 ? 0 : electedAt + 1;
      expectAs(bullySuccessor, { leader: n - 1, byType, electedAt, agreedAt }, options);
    }
  });

  test('the same holds for 1,000 and 4,096 processes', () => {
    for (const n of [1000, 4096]) {
      for (const i of [1, n / 2, n - 2, n - 1]) {
        const byType = { call: i === n - 1 ? 0 : 1, ...BULLY, coordinator: n - 2 };
        const agreedAt = i === n - 1 ? 1 : 2;
        expectAs(bullySuccessor, { byType, agreedAt }, { ids: ascending(n), initiators: [i - 1] });
      }
    }
  });

  test('upkeep is counted apart: n−1 are asked, n−2 are alive, n−2 learn the successor', () => {
    for (const n of [2, 3, 8, 64]) {
      const { messages } = run(bullySuccessor, { ids: ascending(n), initiators: [0] });
      expect(messages.byType).toMatchObject({ gather: n - 1, alive: n - 2, successor: n - 2 });
      expect(messages.upkeep).toBe(3 * n - 5);
    }
  });
});

describe('n−1 has crashed too', () => {
  test('a lost call, then the bully: exact counts, time 2T+2 = 6, or 5 if i = n−2: every i, n from 3 to 64', () => {
    for (let n = 3; n <= 64; n++) {
      for (let i = 1; i <= n - 2; i++) {
        const byType = {
          call: 1,
          election: ((n - i) * (n - i + 1)) / 2 - 1,
          answer: ((n - i - 1) * (n - i - 2)) / 2,
          coordinator: n - 3,
        };
        const agreedAt = n === 3 ? 4 : i === n - 2 ? 5 : 6;
        expectAs(
          bullySuccessor,
          { leader: n - 2, byType, agreedAt },
          {
            ids: ascending(n),
            initiators: [i - 1],
            crash: [
              { position: n - 1, time: 0 },
              { position: n - 2, time: 0 },
            ],
          },
        );
      }
    }
  });

  test('every law applies to at least one run, and holds', () => {
    const crash = [
      { position: 4, time: 0 },
      { position: 3, time: 0 },
    ];
    expectEveryLawHolds(bullySuccessor, [
      { ids: ascending(5), initiators: [1] },
      { ids: ascending(5), initiators: [1], crash },
    ]);
  });
});

describe('any set of detectors', () => {
  test('if n−1 is a detector, it announces once; otherwise once for each call: all sets up to n = 8', () => {
    for (const { n, detectors, options } of everySet()) {
      const expected = bullySuccessorLockstep(n, detectors);
      const calls = detectors.filter((i) => i < n - 1).length;
      const times = detectors.includes(n - 1) ? 1 : calls;
      expect(expected.byType).toEqual({ call: calls, coordinator: times * (n - 2) });
      expectAs(bullySuccessor, expected, options);
    }
  });

  test('if n is alive, it learns that a smaller process leads, and takes over: all sets up to n = 7', () => {
    for (let n = 1; n <= 7; n++) {
      for (const initiators of positionSets(n)) {
        expect(run(bullySuccessor, { ids: ascending(n), crash: 'none', initiators }).leader?.id).toBe(n);
      }
    }
  });
});

describe('the successor that a new coordinator declares', () => {
  const crash = [
    { position: 4, time: 0 },
    { position: 3, time: 20 },
  ];

  test('is called when that coordinator crashes: 4 leads since 1 and has declared 3', () => {
    const initiators = [0, { position: 1, time: 30 }];
    const { leader, messages, time } = run(bullySuccessor, { ids: ascending(5), crash, initiators });
    expect([leader?.id, time.agreedAt]).toEqual([3, 32]);
    expect(messages.byType).toMatchObject({ call: 2, election: 0, coordinator: 3 + 2 });
  });

  test('is the largest process that was alive when the coordinator gathered', () => {
    const initiators = [0, { position: 1, time: 30 }];
    const { leader, messages } = run(bullySuccessor, {
      ids: ascending(5),
      crash: [...crash, { position: 2, time: 0 }],
      initiators,
    });
    expect(leader?.id).toBe(2);
    expect(messages.byType).toMatchObject({ call: 1, election: 0 });
  });
});

test('a recovered n takes over at once with n−1 coordinator messages in 1 unit', () => {
  for (const n of [2, 3, 8, 64]) {
    const { leader, messages, time } = run(bullySuccessor, {
      ids: ascending(n),
      initiators: [0],
      crash: [{ position: n - 1, time: 0 }],
      recover: [{ position: n - 1, time: 10 }],
    });
    expect([leader?.id, messages.announcement]).toEqual([n, n - 2 + (n - 1)]);
    expect([time.electedAt, time.agreedAt]).toEqual([10, 11]);
  }
});

test('it assumes a timeout of at least 1', () => {
  expect(() => simulate(bullySuccessor, { set: { timeout: 0 } })).toThrow(invalid('timeout'));
});
