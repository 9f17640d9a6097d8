import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cases, expectSame } from './cases.ts';

it('200 random searches have the same results with 1, 2 and 4 threads', { timeout: 3_600_000 }, () => {
  const results = fc.sample(cases, { seed: 17, numRuns: 200 }).map((one) => expectSame(one, [2, 4]));
  const checked = results.filter((result) => typeof result !== 'string');
  expect(checked.filter(({ violations }) => violations.length > 0).length).toBeGreaterThan(20);
  expect(checked.filter(({ complete }) => complete).length).toBeGreaterThan(20);
});
