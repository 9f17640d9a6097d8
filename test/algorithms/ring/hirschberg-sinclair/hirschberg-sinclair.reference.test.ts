/** Compares the closed form of the reference with its simulation and with the published formulas. */
import { describe, expect, test } from 'vitest';
import { ascending, descending, shuffled, somePositions } from '../../orders.ts';
import { expectSame, extremes, ringCases } from '../reference-cases.ts';
import {
  ceilLog2,
  hirschbergSinclairBound,
  hirschbergSinclairClosed,
  hirschbergSinclairLockstep,
  hirschbergSinclairTime,
} from './hirschberg-sinclair.reference.ts';

describe('Hirschberg-Sinclair (1980; Karnapke, slides 22 to 25)', () => {
  test('the sum over candidates and phases and the simulation agree on counts, times and leader', () => {
    expectSame(hirschbergSinclairClosed, hirschbergSinclairLockstep);
  });

  test('the leader decides at n + 2 * 2^ceil(log2 n) - 2, so returned at 4n - 2 for 2^j, 6n - 6 for 2^j + 1', () => {
    for (let n = 1; n <= 70; n++) {
      for (const set of [undefined, [0], somePositions(n, Math.ceil(n / 3), n)]) {
        const run = hirschbergSinclairLockstep(shuffled(n, n), set);
        expect(run.electedAt).toBe(hirschbergSinclairTime(n));
        expect(run.announcementReturnedAt).toBe(hirschbergSinclairTime(n) + n);
      }
    }
    for (const n of [2, 4, 8, 16, 32, 64]) {
      expect(hirschbergSinclairLockstep(ascending(n)).announcementReturnedAt).toBe(4 * n - 2);
      expect(hirschbergSinclairLockstep(ascending(n + 1)).announcementReturnedAt).toBe(6 * (n + 1) - 6);
    }
  });

  test('election messages stay within 8n + 8n * ceil(log2 n), for all orders and initiators tried', () => {
    for (const { ids, initiators } of ringCases()) {
      const { election } = hirschbergSinclairClosed(ids, initiators);
      if (election > hirschbergSinclairBound(ids.length)) expect({ ids, initiators, election }).toBeNull();
    }
  });

  test('sorted ids cost 5n + 4 * 2^ceil(log2 n) - 8 for n >= 2; no order of up to 8 ids costs less', () => {
    for (let n = 2; n <= 70; n++) {
      const law = 5 * n + 4 * 2 ** ceilLog2(n) - 8;
      expect(hirschbergSinclairLockstep(ascending(n)).election).toBe(law);
      expect(hirschbergSinclairLockstep(descending(n)).election).toBe(law);
      if (n <= 8) expect(extremes(hirschbergSinclairClosed, n).least).toBe(law);
    }
  });

  test('with veto the sum and the simulation agree too: the path of a discarded probe costs twice', () => {
    expectSame(
      (ids, initiators) => hirschbergSinclairClosed(ids, initiators, true),
      (ids, initiators) => hirschbergSinclairLockstep(ids, initiators, { vetoes: true }),
    );
  });

  test('a single initiator costs 4(2^ceil(log2 n) - 1) + 2n', () => {
    for (let n = 1; n <= 40; n++) {
      const law = 4 * (2 ** ceilLog2(n) - 1) + 2 * n;
      expect(hirschbergSinclairLockstep(shuffled(n, n), [n - 1]).election).toBe(law);
    }
  });

  test('rings of one, two and three count each probe by its own link', () => {
    const one = hirschbergSinclairLockstep([5]);
    expect([one.byType, one.electedAt, one.announcementReturnedAt]).toEqual([
      { probe: 2, reply: 0, veto: 0, elected: 1 },
      1,
      2,
    ]);
    const two = hirschbergSinclairLockstep([1, 2]);
    expect([two.byType, two.electedAt, two.announcementReturnedAt]).toEqual([
      { probe: 8, reply: 2, veto: 0, elected: 2 },
      4,
      6,
    ]);
    const three = hirschbergSinclairLockstep([1, 2, 3]);
    expect([three.byType, three.electedAt, three.announcementReturnedAt]).toEqual([
      { probe: 16, reply: 7, veto: 0, elected: 3 },
      9,
      12,
    ]);
  });
});
