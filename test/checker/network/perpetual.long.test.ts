import { expect, it } from 'vitest';
import { comparePerpetual } from './perpetual.ts';

it('partial-order reduction misses no violation of 10,000 random algorithms that never terminate', () => {
  const { full, reduced, violated } = comparePerpetual(10_000, 20_000);
  expect(reduced).toBeLessThan(full);
  expect(violated).toBeGreaterThan(1000);
});
