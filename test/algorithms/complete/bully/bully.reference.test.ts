/** Compares the closed form of the reference with its simulation and with the published formulas. */
import { describe, expect, test } from 'vitest';
import { positionSets } from '../../orders.ts';
import { bullyClosed, bullyLockstep, TIMEOUT } from './bully.reference.ts';

describe('bully (Garcia-Molina 1982), process n crashed, T = 2', () => {
  test('the closed form and the simulation agree for every set of detectors, n up to 10', () => {
    for (let n = 2; n <= 10; n++) {
      for (const set of positionSets(n - 1)) {
        const detectors = set.map((position) => position + 1);
        expect(bullyLockstep(n, detectors)).toEqual(bullyClosed(n, detectors));
      }
    }
  });

  test('one detector i: election (n-i)(n-i+1)/2, answer (n-i)(n-i-1)/2, coordinator n - 2', () => {
    for (const n of [2, 3, 4, 5, 16, 64]) {
      for (let i = 1; i < n; i++) {
        const run = bullyLockstep(n, [i]);
        expect(run.leader).toBe(n - 2);
        expect(run.byType).toEqual({
          election: ((n - i) * (n - i + 1)) / 2,
          answer: ((n - i) * (n - i - 1)) / 2,
          coordinator: n - 2,
        });
      }
    }
  });

  test('the leader decides at T + 1 and the last node at T + 2 = 4; for i = n - 1 at T and T + 1 = 3', () => {
    for (const n of [3, 4, 5, 16, 64]) {
      for (let i = 1; i < n; i++) {
        const { electedAt, agreedAt } = bullyLockstep(n, [i]);
        expect([electedAt, agreedAt]).toEqual(i === n - 1 ? [TIMEOUT, 3] : [TIMEOUT + 1, 4]);
      }
    }
  });

  test('with n = 2 there is no process to announce to: the only live process leads at T', () => {
    const run = bullyLockstep(2, [1]);
    expect(run.byType).toEqual({ election: 1, answer: 0, coordinator: 0 });
    expect([run.electedAt, run.agreedAt]).toEqual([TIMEOUT, TIMEOUT]);
  });

  test('several detectors cost what the smallest of them costs alone', () => {
    for (let n = 3; n <= 10; n++) {
      for (const set of positionSets(n - 1)) {
        const detectors = set.map((position) => position + 1);
        expect(bullyLockstep(n, detectors).byType).toEqual(bullyLockstep(n, [Math.min(...detectors)]).byType);
      }
    }
  });
});
