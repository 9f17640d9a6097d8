/** Orders of ids on a ring, sets of initiators, and a seeded generator of both. */

import { at } from './reference-outcome.ts';

/** 1, 2, ..., n clockwise. */
export function ascending(n: number): number[] {
  return Array.from({ length: n }, (_, i) => i + 1);
}

/** n, n - 1, ..., 1 clockwise. */
export function descending(n: number): number[] {
  return Array.from({ length: n }, (_, i) => n - i);
}

/**
 * 2^bits ids of which, phase after phase, exactly every other one is a local maximum: n minus the position with its
 * bits reversed. The worst order for algorithms that halve the number of active nodes.
 */
export function halving(bits: number): number[] {
  const n = 2 ** bits;
  const ids: number[] = [];
  for (let i = 0; i < n; i++) {
    let reversed = 0;
    for (let b = 0; b < bits; b++) reversed = reversed * 2 + (Math.floor(i / 2 ** b) % 2);
    ids.push(n - reversed);
  }
  return ids;
}

/** Every order of the given ids: length! of them. */
export function* arrangements(ids: readonly number[]): Generator<number[]> {
  if (ids.length === 0) {
    yield [];
    return;
  }
  for (let i = 0; i < ids.length; i++) {
    const others = ids.filter((_, j) => j !== i);
    for (const rest of arrangements(others)) yield [at(ids, i), ...rest];
  }
}

/** Every order of 1..n: n! of them. */
export function permutations(n: number): Generator<number[]> {
  return arrangements(ascending(n));
}

/** Every order of 1..n up to rotation, the largest id at position 0: (n - 1)! of them. */
export function* ringOrders(n: number): Generator<number[]> {
  for (const rest of arrangements(ascending(n - 1))) yield [n, ...rest];
}

/** Every non-empty set of positions 0..n-1: 2^n - 1 of them. */
export function* positionSets(n: number): Generator<number[]> {
  for (let mask = 1; mask < 2 ** n; mask++) {
    const set: number[] = [];
    for (let i = 0; i < n; i++) if (Math.floor(mask / 2 ** i) % 2 === 1) set.push(i);
    yield set;
  }
}

/** Whole numbers below a bound from a seeded linear congruential generator. */
export function seeded(seed: number): (bound: number) => number {
  let state = seed >>> 0;
  const step = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state;
  };
  for (let i = 0; i < 8; i++) step();
  return (bound) => Math.floor((step() / 2 ** 32) * bound);
}

/** The ids 1..n in an order determined by a seed. */
export function shuffled(n: number, seed: number): number[] {
  const below = seeded(seed);
  const ids = ascending(n);
  for (let i = n - 1; i > 0; i--) {
    const j = below(i + 1);
    const kept = at(ids, i);
    ids[i] = at(ids, j);
    ids[j] = kept;
  }
  return ids;
}

/** k positions of 0..n-1 determined by a seed, in ascending order. */
export function somePositions(n: number, k: number, seed: number): number[] {
  return shuffled(n, seed)
    .slice(0, k)
    .map((id) => id - 1)
    .sort((a, b) => a - b);
}

/** H_k = 1 + 1/2 + ... + 1/k. */
export function harmonic(k: number): number {
  let sum = 0;
  for (let i = k; i >= 1; i--) sum += 1 / i;
  return sum;
}
