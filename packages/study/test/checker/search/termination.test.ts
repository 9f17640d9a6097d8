/** The termination test against an enumeration of all schedulers, on tiny systems made up at random. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effort } from '../../../../../test-kit/limits/effort.ts';
import { judgeTermination } from '../../../src/checker/search/fairness.ts';
import { search } from '../../../src/checker/search/search.ts';
import { runSlices } from '../../../src/checker/search/slices.ts';
import { StateStore } from '../../../src/checker/search/state-store.ts';
import type { System } from '../../../src/checker/search/system.ts';
import {
  isSureByEnumeration,
  livelocksByEnumeration,
  TIMER,
  type TinySystem,
} from './scheduler-enumeration.ts';

const CASES = effort({ quick: 300, full: 5000 });
const MAX_STATES = effort({ quick: 4, full: 5 });
const STEPS = 3;

/** Step STEPS − 1 is optional. */
const isOptional = (step: number): boolean => step === STEPS - 1;

/**
 * `most` is the largest number of outcomes of a step. The last state is terminal, and step 0 is enabled in all others and
 * tends to lead forwards: otherwise nearly all systems would have a livelock.
 */
function tinySystem(most: number): fc.Arbitrary<TinySystem> {
  return fc.integer({ min: 2, max: MAX_STATES }).chain((states) => {
    const outcomes = (least: number) =>
      fc.array(
        fc.record({
          to: fc.integer({ min: least, max: states - 1 }),
          restarts: fc.constantFrom(false, false, true),
        }),
        { minLength: 1, maxLength: most },
      );
    const stepsOf = (state: number) =>
      fc.tuple(
        fc.oneof(outcomes(0), outcomes(state + 1), outcomes(state + 1)),
        ...Array.from({ length: STEPS - 1 }, () => fc.option(outcomes(0), { nil: undefined, freq: 2 })),
      );
    const terminal = Array.from({ length: STEPS }, () => undefined);
    return fc
      .tuple(...Array.from({ length: states - 1 }, (_, state) => stepsOf(state)))
      .map((all) => [...all, terminal]);
  });
}

/** All states are states of the system, so that numbers agree: those that cannot be reached are initial too. */
function systemOf(tiny: TinySystem): System {
  return {
    width: 1,
    initials: () => tiny.map((_, state) => ({ state: Uint16Array.of(state), violation: null })),
    expand: (state, next, visit) => {
      tiny[state[0]].forEach((to, step) => {
        for (const outcome of to ?? []) {
          next[0] = outcome.to;
          visit(step, null, outcome.restarts ? [TIMER] : []);
        }
      });
    },
    isOptional,
    actor: () => 0,
    exceedsBound: () => false,
    inspect: () => null,
    judgeEnd: () => null,
    describe: String,
    mustTerminate: true,
  };
}

function verdictOf(tiny: TinySystem): { livelock: number; isSure: boolean } {
  const system = systemOf(tiny);
  return runSlices(judgeTermination(system, search(system, new StateStore(1), { states: 100, bytes: 1e6 })));
}

describe.each([
  ['without random draws', 1],
  ['with random draws', 3],
])('tiny systems %s', (_name, most) => {
  it('have a livelock if and only if some weakly fair scheduler prevents termination', () => {
    const counts = { sure: 0, almostSure: 0, violated: 0 };
    fc.assert(
      fc.property(tinySystem(most), (tiny) => {
        const { isSure, livelock } = verdictOf(tiny);
        expect(livelock).toBe(livelocksByEnumeration(tiny, isOptional)[0] ?? -1);
        expect(isSure).toBe(isSureByEnumeration(tiny, isOptional));
        counts[isSure ? 'sure' : livelock < 0 ? 'almostSure' : 'violated']++;
      }),
      { numRuns: CASES, seed: 1 },
    );
    // Each verdict occurs often enough for the comparison to mean something.
    expect(Math.min(counts.sure, counts.violated)).toBeGreaterThan(CASES / 20);
    if (most > 1) expect(counts.almostSure).toBeGreaterThan(CASES / 50);
    else expect(counts.almostSure).toBe(0);
  });
});
