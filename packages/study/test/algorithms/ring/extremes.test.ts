/** The least and the most that orders of ids cost, by the references, where no law of a source says it. */
import { describe, expect, test } from 'vitest';
import { ascending, positionSets, ringOrders } from '../orders.ts';
import {
  changRobertsBest,
  changRobertsElection,
  changRobertsWorst,
} from './chang-roberts/chang-roberts.reference.ts';
import {
  dolevKlaweRodehBound,
  dolevKlaweRodehClosed,
} from './dolev-klawe-rodeh/dolev-klawe-rodeh.reference.ts';
import { hirschbergSinclairClosed } from './hirschberg-sinclair/hirschberg-sinclair.reference.ts';
import { petersonClosed } from './peterson/peterson.reference.ts';

/** The election messages of every order of n ids, sorted. */
const costs = (election: (ids: readonly number[]) => number, n: number): number[] =>
  [...ringOrders(n)].map(election).sort((a, b) => a - b);

const SIZES = [2, 3, 4, 5, 6, 7, 8];

describe('over all orders', () => {
  test('k initiators of Chang–Roberts cost from n+k−1 to nk − k(k−1)/2, both reached, for n up to 6', () => {
    for (const n of ascending(6)) {
      const sets = [...positionSets(n)];
      for (const k of ascending(n)) {
        const all = sets
          .filter((set) => set.length === k)
          .flatMap((set) => costs((ids) => changRobertsElection(ids, set), n));
        const extremes = [Math.min(...all), Math.max(...all)];
        expect([n, k, ...extremes]).toEqual([n, k, changRobertsBest(n, k), changRobertsWorst(n, k)]);
      }
    }
  });

  test('Peterson costs at least 3n−1, and at most 5, 8, 16, 21, 27, 32, 46 for n = 2 to 8', () => {
    const most = [5, 8, 16, 21, 27, 32, 46];
    for (const [k, n] of SIZES.entries()) {
      const all = costs((ids) => petersonClosed(ids).election, n);
      expect([n, all[0], all.at(-1)]).toEqual([n, 3 * n - 1, most[k]]);
    }
  });

  test('k initiators of Peterson cost at most 2n⌊log2 k⌋ + n, one less if k > 1, for n up to 6', () => {
    for (const n of ascending(6)) {
      for (const set of positionSets(n)) {
        const k = set.length;
        const all = costs((ids) => petersonClosed(ids, set).election, n);
        expect(all.at(-1)).toBeLessThanOrEqual(2 * n * Math.floor(Math.log2(k)) + (k === 1 ? n : n - 1));
      }
    }
  });

  test('no order of Hirschberg–Sinclair costs less than sorted ids', () => {
    for (const n of SIZES) {
      const [least] = costs((ids) => hirschbergSinclairClosed(ids).election, n);
      expect(least).toBe(hirschbergSinclairClosed(ascending(n)).election);
    }
  });

  test('Dolev–Klawe–Rodeh costs at least 3n, and reaches its bound at every n up to 8', () => {
    for (const n of SIZES) {
      const all = costs((ids) => dolevKlaweRodehClosed(ids).election, n);
      expect([n, all[0], all.at(-1)]).toEqual([n, 3 * n, dolevKlaweRodehBound(n)]);
    }
  });

  test('Dolev–Klawe–Rodeh has the phases of Peterson and elects the same node, which decides first only if it starts alone', () => {
    for (const n of ascending(6)) {
      for (const set of positionSets(n)) {
        for (const ids of ringOrders(n)) {
          const { leader, contested, knower } = dolevKlaweRodehClosed(ids, set);
          const peterson = petersonClosed(ids, set);
          const seen = [leader, contested, knower === leader];
          const same = [peterson.leader, peterson.contested, set.length === 1];
          if (seen.join() !== same.join()) expect({ ids, set, seen }).toEqual({ ids, set, seen: same });
        }
      }
    }
  });
});
