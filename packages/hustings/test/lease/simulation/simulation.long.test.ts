/** Like simulation.test.ts, in forty times as many other worlds. */
import { expect, it } from 'vitest';
import { planOf } from './plan.ts';
import { failureOf, report } from './replay.ts';

const FIRST = 1_000;
const BATCHES = 20;
const BATCH = 2_000;

for (let batch = 0; batch < BATCHES; batch++) {
  const first = FIRST + batch * BATCH;
  it(`every invariant holds in ${BATCH} worlds, seeds from ${first}`, () => {
    for (let seed = first; seed < first + BATCH; seed++) {
      const failure = failureOf(planOf(seed));
      if (failure !== null) expect.fail(report(seed, failure));
    }
  });
}
