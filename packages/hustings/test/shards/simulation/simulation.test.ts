import { expect, test } from 'vitest';
import { ShardWorld } from './world.ts';

test.each([1, 4])(
  'seed %i: one owner for each shard through faults, and balance after them',
  {
    timeout: 120_000,
  },
  async (seed) => {
    const { violations, terms, faults } = await new ShardWorld(seed).run();
    expect(violations).toEqual([]);
    expect(terms).toBeGreaterThan(8);
    expect(faults).toBeGreaterThan(10);
  },
);

test('a store that ends leases too early is caught: two members own a shard', {
  timeout: 120_000,
}, async () => {
  const found: string[] = [];
  for (let seed = 1; seed <= 10 && found.length === 0; seed++) {
    const { violations } = await new ShardWorld(seed, 4).run();
    found.push(...violations.filter((violation) => violation.includes('both own')));
  }
  expect(found).not.toEqual([]);
});
