import { expect, it } from 'vitest';
import { expectedStates } from '../../../src/checker/search/size-estimate.ts';

/** The sizes of the levels of Dolev–Klawe–Rodeh with 12 nodes, each start a step. */
const SIZES = [
  1, 12, 66, 232, 615, 1344, 2538, 4296, 6687, 9716, 13357, 17492, 21936, 26479, 30802, 34662, 37763, 39876,
  40889, 40674, 39322, 36906, 33628, 29748, 25500, 21184, 17016, 13195, 9857, 7066, 4849, 3177, 1989, 1198,
  702, 406,
];
const ALL = 575_747;

function firstNumbers(levels: number): number[] {
  const first = [0];
  for (const size of SIZES.slice(0, levels)) first.push(first[first.length - 1] + size);
  return first;
}

it('is within a factor of two when a seventh of the states is known, and within 15 % when a third is', () => {
  for (let levels = 13; levels <= SIZES.length; levels++) {
    const share = (expectedStates(firstNumbers(levels)) ?? 0) / ALL;
    const error = levels > 16 ? 1.15 : 2;
    expect(share, `${levels} levels`).toBeGreaterThan(1 / error);
    expect(share, `${levels} levels`).toBeLessThan(error);
  }
});

it('is unknown while the levels only grow faster, and for a few levels', () => {
  expect(expectedStates([0, 1, 3, 7])).toBeNull();
  expect(expectedStates([0, 1, 3, 7, 15, 31, 63, 127, 255])).toBeNull();
});

it('is unknown while no memory could hold as many states', () => {
  const first = [0];
  let width = 1;
  for (let level = 1; level < 20; level++) {
    first.push(first[level - 1] + width);
    width = Math.ceil(width * (10 - level * 0.01));
  }
  expect(expectedStates(first)).toBeNull();
});
