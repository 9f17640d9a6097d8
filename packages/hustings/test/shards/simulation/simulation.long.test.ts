import { expect, test } from 'vitest';
import { ShardWorld } from './world.ts';

const SEEDS = 300;

test(`${SEEDS} seeds: one owner for each shard through faults, and balance after them`, {
  timeout: 3_600_000,
}, async () => {
  const first = Number(process.env.HUSTINGS_SEED ?? Date.now() % 1_000_000);
  for (let seed = first; seed < first + SEEDS; seed++) {
    const { violations } = await new ShardWorld(seed).run();
    expect(violations, `new ShardWorld(${seed})`).toEqual([]);
  }
});
