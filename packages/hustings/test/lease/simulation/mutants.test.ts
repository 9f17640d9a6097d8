/** The simulation catches every mutant, by an invariant that is named with it. */
import { describe, expect, it } from 'vitest';
import type { Mutant } from './mutant.ts';
import { MUTANTS } from './mutants.ts';
import { type Plan, planOf } from './plan.ts';
import { failureOf, parseReplay, replayLine, shrink } from './replay.ts';

const SEEDS = 2_000;
const BUSY_MACHINE_MS = 120_000;

function planWithin(seed: number, { within }: Mutant): Plan {
  if (within === undefined) return planOf(seed);
  const { faults, ...change } = within;
  return { ...planOf(seed, { faults }), ...change };
}

describe('a mutant is caught', () => {
  it.each(MUTANTS)(
    '$name: $caughtBy',
    (mutant) => {
      let caught: string | undefined;
      let seed = 0;
      for (; seed < SEEDS && caught === undefined; seed++)
        caught = failureOf(planWithin(seed, mutant), mutant)?.invariant;
      expect(mutant.caughtBy).toContain(caught);
    },
    BUSY_MACHINE_MS,
  );

  it(
    'and so are clocks that are slower than the margin allows: two candidates lead at the same true time',
    () => {
      // Not a mutant: no code can keep this property with such clocks.
      const slow = (seed: number): Plan => ({
        ...planOf(seed, { faults: ['clock-rate', 'partition', 'one-way'], candidates: 3 }),
        storeHasClock: true,
        exclusive: true,
        rates: { least: 0.5, most: 1 },
      });
      let caught: string | undefined;
      for (let seed = 0; seed < SEEDS && caught === undefined; seed++)
        caught = failureOf(slow(seed))?.invariant;
      expect(caught).toBe('one leader');
    },
    BUSY_MACHINE_MS,
  );
});

describe('a failure', () => {
  const [mutant] = MUTANTS;

  it(
    'is shrunk to a smaller world that fails in the same way',
    () => {
      const whole = planOf(7);
      const invariant = failureOf(whole, mutant)!.invariant;
      const cut = shrink(7, invariant, mutant);
      expect(failureOf(planOf(7, cut), mutant)?.invariant).toBe(invariant);
      expect(cut.candidates!).toBeLessThanOrEqual(whole.candidates);
      expect(cut.faults!.length).toBeLessThan(whole.faults.size);
    },
    BUSY_MACHINE_MS,
  );

  it('is replayed by one line with all that is needed', () => {
    const cut = { candidates: 2, faultyMs: 900, faults: ['pause', 'lost-reply'] } as const;
    const line = replayLine(7, cut);
    expect(line).toBe(
      'HUSTINGS_LEASE_SEED=7/2/900/pause+lost-reply npx vitest run packages/hustings/test/lease/simulation/simulation.test.ts',
    );
    expect(parseReplay(line.split(' ')[0].split('=')[1])).toEqual({ seed: 7, cut });
    expect(parseReplay('7')).toEqual({ seed: 7, cut: {} });
  });

  it('is the same in every replay', () => {
    const failures = [0, 1].map(() => failureOf(planOf(7), mutant));
    expect(failures[0]).not.toBeNull();
    expect(failures[0]).toEqual(failures[1]);
  });
});
