import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { fuzz } from './fuzz.ts';

it('1,000,000 random and mutated frames crash no session, and the memory does not grow', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const seed = Number(process.env.HUSTINGS_SEED ?? Date.now());
  const heapAfter = (frames: number, from: number): number => {
    fuzz(frames, from);
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = heapAfter(100_000, seed);
  const after = heapAfter(900_000, seed + 1);
  // 900,000 frames that each left 10 bytes behind would be seen.
  expect(after - before, `HUSTINGS_SEED=${seed}`).toBeLessThan(9_000_000);
});
