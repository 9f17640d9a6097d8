import { expect, it } from 'vitest';
import { comparePerpetual } from './perpetual.ts';

it('partial-order reduction misses no violation of 2,000 random algorithms that never terminate', () => {
  const { full, reduced, violated } = comparePerpetual(2000, 5000);
  expect(reduced).toBeLessThan(full);
  expect(violated).toBeGreaterThan(200);
});
