import { describe, expect, test } from 'vitest';
import {
  arrangements,
  ascending,
  harmonic,
  permutations,
  positionSets,
  ringOrders,
  shuffled,
  somePositions,
} from './orders.ts';

describe('orders', () => {
  test('all n! orders, all (n - 1)! orders up to rotation and all 2^n - 1 sets occur once', () => {
    const distinct = (lists: Iterable<number[]>) => new Set([...lists].map((list) => list.join()));
    expect(distinct(permutations(5)).size).toBe(120);
    expect(distinct(ringOrders(5)).size).toBe(24);
    expect(distinct(ringOrders(1))).toEqual(new Set(['1']));
    expect(distinct(positionSets(5)).size).toBe(31);
    expect([...arrangements([7, 9])]).toEqual([
      [7, 9],
      [9, 7],
    ]);
  });

  test('a seed gives one order, a permutation of 1..n', () => {
    expect(shuffled(100, 5)).toEqual(shuffled(100, 5));
    expect(shuffled(100, 5)).not.toEqual(shuffled(100, 6));
    expect(shuffled(100, 5).sort((a, b) => a - b)).toEqual(ascending(100));
    expect(new Set(somePositions(50, 20, 3)).size).toBe(20);
    expect(harmonic(4)).toBeCloseTo(25 / 12, 12);
  });
});
