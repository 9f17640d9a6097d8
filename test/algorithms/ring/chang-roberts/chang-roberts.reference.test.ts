/** Compares the closed form of the reference with its simulation and with the published formulas. */
import { describe, expect, test } from 'vitest';
import {
  ascending,
  descending,
  harmonic,
  permutations,
  positionSets,
  ringOrders,
  shuffled,
} from '../../orders.ts';
import { expectSame } from '../reference-cases.ts';
import {
  changRobertsBest,
  changRobertsClosed,
  changRobertsElection,
  changRobertsLockstep,
  changRobertsWorst,
} from './chang-roberts.reference.ts';

describe('Chang-Roberts (1979; Karnapke, slides 13 to 20)', () => {
  test('the next-greater-initiator form and the simulation agree on counts, times and leader', () => {
    expectSame(changRobertsClosed, changRobertsLockstep);
  });

  test('descending clockwise costs n(n+1)/2 and ascending 2n - 1, up to a million nodes', () => {
    for (const n of [1, 2, 3, 4, 5, 64, 1000]) {
      expect(changRobertsLockstep(descending(n)).election).toBe((n * (n + 1)) / 2);
      expect(changRobertsLockstep(ascending(n)).election).toBe(2 * n - 1);
    }
    const n = 1_000_000;
    expect(changRobertsElection(Uint32Array.from(descending(n)))).toBe((n * (n + 1)) / 2);
    expect(changRobertsElection(Uint32Array.from(ascending(n)))).toBe(2 * n - 1);
  });

  test('k initiators cost at most nk - k(k-1)/2 and at least n + k - 1, both reached, for n up to 6', () => {
    for (let n = 1; n <= 6; n++) {
      const most = new Array<number>(n + 1).fill(0);
      const least = new Array<number>(n + 1).fill(Infinity);
      for (const ids of ringOrders(n)) {
        for (const set of positionSets(n)) {
          const election = changRobertsElection(ids, set);
          most[set.length] = Math.max(most[set.length] ?? 0, election);
          least[set.length] = Math.min(least[set.length] ?? 0, election);
        }
      }
      for (let k = 1; k <= n; k++) {
        expect([n, k, most[k], least[k]]).toEqual([n, k, changRobertsWorst(n, k), changRobertsBest(n, k)]);
      }
    }
  });

  test('adjacent initiators reach the worst case descending clockwise and the best ascending', () => {
    for (const n of [1, 2, 7, 64]) {
      for (let k = 1; k <= n; k++) {
        const first = ascending(k).map((id) => id - 1);
        expect(changRobertsLockstep(descending(n), first).election).toBe(changRobertsWorst(n, k));
        expect(changRobertsLockstep(ascending(n), first).election).toBe(changRobertsBest(n, k));
      }
    }
  });

  test('the mean over all orders is exactly n * H_k for every fixed set of k positions, for n up to 6', () => {
    for (let n = 1; n <= 6; n++) {
      let orders = 1;
      for (let i = 2; i <= n; i++) orders *= i;
      for (const set of positionSets(n)) {
        let sum = 0;
        for (const ids of permutations(n)) sum += changRobertsElection(ids, set);
        let expected = 0; // n! * n * H_k, in whole numbers
        for (let j = 1; j <= set.length; j++) expected += (n * orders) / j;
        expect(sum).toBe(expected);
      }
    }
  });

  test('the mean over seeded orders of 1,000 ids is within 2 % of n * H_n', () => {
    const n = 1000;
    let sum = 0;
    for (let seed = 1; seed <= 400; seed++) sum += changRobertsElection(shuffled(n, seed));
    expect(Math.abs(sum / 400 / (n * harmonic(n)) - 1)).toBeLessThan(0.02);
  });

  test('only an initiator can win, and with negated ids the smallest does', () => {
    expect(changRobertsLockstep([3, 9, 4, 1], [0, 2, 3]).leader).toBe(2);
    expect(changRobertsLockstep([-3, -9, -4, -1]).leader).toBe(3);
  });

  test('a ring of one counts the token and the announcement to itself', () => {
    expect(changRobertsLockstep([5])).toEqual({
      leader: 0,
      election: 1,
      announcement: 1,
      byType: { token: 1, elected: 1 },
      electedAt: 1,
      agreedAt: 1,
      announcementReturnedAt: 2,
    });
  });
});
