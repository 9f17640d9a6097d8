/**
 * Runs seeds and reports failures: one line replays the failure in the smallest world that still fails in the same way. The
 * line has the seed and the cuts: `seed/candidates/milliseconds/faults`.
 */

import { type Make, RIGHT } from './mutant.ts';
import { type Invariant, InvariantBroken } from './observers/invariant.ts';
import { type Cut, FAULTS, type Fault, type Plan, planOf } from './plan.ts';
import type { Tally } from './tally.ts';
import { World } from './world.ts';

export interface Failure {
  readonly invariant: Invariant;
  readonly message: string;
}

export function failureOf(plan: Plan, make: Make = RIGHT, tally?: Tally): Failure | null {
  const world = new World(plan, make);
  try {
    world.run();
    return null;
  } catch (error) {
    if (!(error instanceof InvariantBroken)) throw error;
    return { invariant: error.invariant, message: `at ${world.nowMs} ms ${error.message}` };
  } finally {
    tally?.add(world.tally);
  }
}

/** The events until the failure, or until the end: the last lines, oldest first. */
export function storyOf(plan: Plan, make: Make = RIGHT, lines = 60): string {
  const world = new World(plan, make, true);
  let end = 'nothing failed';
  try {
    world.run();
  } catch (error) {
    end = String(error);
  }
  return [...world.story!.slice(-lines), end].join('\n');
}

export function replayLine(seed: number, cut: Cut = {}): string {
  const isWhole = cut.candidates === undefined && cut.faultyMs === undefined && cut.faults === undefined;
  const { candidates, faultyMs, faults } = planOf(seed, cut);
  const rest = isWhole ? '' : `/${candidates}/${faultyMs}/${[...faults].join('+')}`;
  return `HUSTINGS_LEASE_SEED=${seed}${rest} npx vitest run packages/hustings/test/lease/simulation/simulation.test.ts`;
}

/** Parses `HUSTINGS_LEASE_SEED`. */
export function parseReplay(text: string): { readonly seed: number; readonly cut: Cut } {
  const [seed, candidates, faultyMs, faults] = text.split('/');
  if (candidates === undefined) return { seed: Number(seed), cut: {} };
  const named = faults.split('+').filter((name): name is Fault => FAULTS.some((fault) => fault === name));
  return {
    seed: Number(seed),
    cut: { candidates: Number(candidates), faultyMs: Number(faultyMs), faults: named },
  };
}

/** Shrinks to fewer faults, fewer candidates and less time, as long as the same invariant is violated. */
export function shrink(seed: number, invariant: Invariant, make: Make = RIGHT): Cut {
  const whole = planOf(seed);
  let least = { candidates: whole.candidates, faultyMs: whole.faultyMs, faults: [...whole.faults] };
  const stillFails = (cut: Cut): boolean => failureOf(planOf(seed, cut), make)?.invariant === invariant;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    const attempts = [
      { ...least, candidates: 1 },
      { ...least, candidates: least.candidates - 1 },
      { ...least, faultyMs: Math.floor(least.faultyMs / 2) },
      { ...least, faultyMs: Math.floor(least.faultyMs * 0.9) },
      ...least.faults.map((fault) => ({ ...least, faults: least.faults.filter((each) => each !== fault) })),
    ];
    for (const attempt of attempts) {
      const isLess = attempt.candidates < least.candidates || attempt.faultyMs < least.faultyMs;
      if (attempt.candidates < 1 || (!isLess && attempt.faults.length >= least.faults.length)) continue;
      if (!stillFails(attempt)) continue;
      least = attempt;
      isSmaller = true;
      break;
    }
  }
  return least;
}

/** For the message of a failed test. */
export function report(seed: number, { invariant, message }: Failure, make: Make = RIGHT): string {
  const cut = shrink(seed, invariant, make);
  return [`seed ${seed}: ${message}`, `replay: ${replayLine(seed)}`, `shrunk: ${replayLine(seed, cut)}`].join(
    '\n',
  );
}
