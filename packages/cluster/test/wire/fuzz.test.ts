import { expect, it } from 'vitest';
import { fuzz } from './fuzz.ts';

it('100,000 random and mutated frames crash no session, and none keeps more than a frame', () => {
  const { accepted, refused, maxHeldBytes } = fuzz(100_000, 17);
  // Both happen often, or the frames would not reach what they should.
  expect(Math.min(accepted, refused)).toBeGreaterThan(5_000);
  expect(maxHeldBytes).toBeLessThan(65_536 + 200);
});
