/** Shared by the tests of all ring references: rings, and a comparison of a closed form with a simulation. */
import { expect } from 'vitest';
import { positionSets, ringOrders, seeded, shuffled, somePositions } from '../orders.ts';
import type { Outcome } from '../reference-outcome.ts';

export type RingRun = (ids: readonly number[], initiators?: readonly number[]) => Outcome;

/**
 * All orders up to rotation and all initiator sets up to n = 6, all orders at n = 7, and larger seeded ones.
 */
export function* ringCases(): Generator<{ ids: number[]; initiators: number[] }> {
  for (let n = 1; n <= 6; n++) {
    for (const ids of ringOrders(n)) for (const initiators of positionSets(n)) yield { ids, initiators };
  }
  for (const ids of ringOrders(7)) yield { ids, initiators: [0, 1, 2, 3, 4, 5, 6] };
  for (let seed = 1; seed <= 192; seed++) {
    const n = 1 + (seed % 64);
    const k = 1 + (seed % 5 === 0 ? n - 1 : seeded(seed)(n));
    yield { ids: shuffled(n, seed), initiators: somePositions(n, k, seed + 1000) };
  }
  for (const n of [64, 1000]) {
    yield { ids: shuffled(n, n), initiators: somePositions(n, n, 1) };
    yield { ids: shuffled(n, n + 1), initiators: somePositions(n, n / 4, 2) };
  }
}

/** Compares two runs on every case, with one deep comparison at the end instead of one per case. */
export function expectSame(closed: RingRun, lockstep: RingRun): void {
  for (const { ids, initiators } of ringCases()) {
    const expected = closed(ids, initiators);
    const seen = lockstep(ids, initiators);
    const same =
      JSON.stringify(Object.entries(expected).sort()) === JSON.stringify(Object.entries(seen).sort());
    if (!same) expect({ ids, initiators, ...seen }).toEqual({ ids, initiators, ...expected });
  }
}

/**
 * The smallest and largest number of election messages over all orders of n ids, with all nodes as initiators.
 */
export function extremes(run: RingRun, n: number): { least: number; most: number } {
  let least = Infinity;
  let most = 0;
  for (const ids of ringOrders(n)) {
    const { election } = run(ids);
    least = Math.min(least, election);
    most = Math.max(most, election);
  }
  return { least, most };
}

export function floorLog2(n: number): number {
  let log = 0;
  while (2 ** (log + 1) <= n) log++;
  return log;
}
