/** Compares the closed form of the reference with its simulation and with the published formulas. */
import { describe, expect, test } from 'vitest';
import { ascending, descending, halving, ringOrders, shuffled } from '../../orders.ts';
import { expectSame, extremes, floorLog2, ringCases } from '../reference-cases.ts';
import { petersonBound, petersonClosed, petersonLockstep } from './peterson.reference.ts';

describe('Peterson, unidirectional (1982; Karnapke, slides 33 to 38)', () => {
  test('the sum over phases and the simulation agree on counts, times and leader', () => {
    expectSame(petersonClosed, petersonLockstep);
  });

  test('the largest initiator leads: it receives its id as v if it is the only one, as p if there are two, otherwise as a relay', () => {
    for (const { ids, initiators } of ringCases()) {
      const run = petersonLockstep(ids, initiators);
      const largest = initiators.reduce((a, b) => ((ids[a] ?? 0) > (ids[b] ?? 0) ? a : b));
      const metAs = initiators.length === 1 ? 'v' : initiators.length === 2 ? 'p' : 'relay';
      if (run.leader !== largest || run.metAs !== metAs) expect({ ids, initiators, ...run }).toBeNull();
    }
  });

  test('sorted either way, E = 3n - 1 for n >= 2; for n >= 3 the leader decides at n + 1, returned at 2n + 1', () => {
    for (const n of [2, 3, 4, 5, 6, 7, 8, 33, 64, 1000]) {
      for (const ids of [ascending(n), descending(n)]) {
        const run = petersonLockstep(ids);
        expect(run.election).toBe(3 * n - 1);
        expect(run.electedAt).toBe(n === 2 ? 2 : n + 1);
        expect(run.announcementReturnedAt).toBe(n === 2 ? 4 : 2 * n + 1);
      }
    }
  });

  test('a ring of one counts its id and its announcement: E = 1, returned at 2', () => {
    const run = petersonLockstep([5]);
    expect([run.byType, run.electedAt, run.announcementReturnedAt]).toEqual([{ id: 1, elected: 1 }, 1, 2]);
  });

  test('2n(floor(log2 n) + 1) is never exceeded; k initiators cost at most 2n * floor(log2 k) + n', () => {
    for (const { ids, initiators } of ringCases()) {
      const n = ids.length;
      const k = initiators.length;
      const { election } = petersonClosed(ids, initiators);
      const tighter = 2 * n * floorLog2(k) + (k === 1 ? n : n - 1);
      if (election > petersonBound(n) || election > tighter) expect({ ids, initiators, election }).toBeNull();
    }
  });

  test('no order costs less than 3n - 1; the maximum is 5, 8, 16, 21, 27, 32, 46 for n = 2 to 8', () => {
    for (const [n, most] of [
      [2, 5],
      [3, 8],
      [4, 16],
      [5, 21],
      [6, 27],
      [7, 32],
      [8, 46],
    ] as const) {
      expect(extremes(petersonClosed, n)).toEqual({ least: 3 * n - 1, most });
    }
  });

  test('the halving order of n = 2^j ids costs 2n * log2 n - n/2 + 2, which is 5n/2 - 2 below the bound', () => {
    for (let j = 1; j <= 10; j++) {
      const n = 2 ** j;
      expect(petersonLockstep(halving(j)).election).toBe(2 * n * j - n / 2 + 2);
      expect(petersonBound(n) - petersonClosed(halving(j)).election).toBe((5 * n) / 2 - 2);
    }
  });

  test('as first printed (without maximum and equality) two nodes lead at n = 2, and on 4 1 3 2 too', () => {
    expect(() => petersonLockstep([2, 1], undefined, true)).toThrow('two leaders');
    expect(() => petersonLockstep([4, 1, 3, 2], undefined, true)).toThrow('two leaders');
    const failures = [1, 2, 3, 4, 5, 6, 7].map((n) => {
      let failed = 0;
      for (const ids of ringOrders(n)) {
        try {
          petersonLockstep(ids, undefined, true);
        } catch {
          failed++;
        }
      }
      return failed;
    });
    expect(failures).toEqual([0, 1, 0, 2, 16, 88, 416]);
  });

  test('one initiator costs n and leads at n', () => {
    for (const n of [1, 2, 3, 64]) {
      const run = petersonLockstep(shuffled(n, n), [n - 1]);
      expect([run.leader, run.election, run.electedAt, run.announcementReturnedAt]).toEqual([
        n - 1,
        n,
        n,
        2 * n,
      ]);
    }
  });
});
