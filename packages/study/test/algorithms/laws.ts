/**
 * Runs an election and checks the laws of its algorithm: exact values and bounds. A mean is not a law of a single
 * run. A violated law is reported with the command that replays the run.
 */
import { expect } from 'vitest';
import type { AnyAlgorithm } from '../../src/kernel/algorithm.ts';
import type { Law } from '../../src/kernel/law.ts';
import type { SimulateOptions } from '../../src/simulator/plan/options.ts';
import { measured, type Outcome, Run } from '../../src/simulator/simulate.ts';

function isBroken(kind: Law['kind'], seen: number | null, value: number): boolean {
  if (kind === 'mean') return false;
  return seen === null || (kind === 'exact' ? seen !== value : seen > value);
}

/** Simulates. Throws if the election is not valid or a law that applies to the run does not hold. */
export function run(algorithm: AnyAlgorithm, options: SimulateOptions = {}): Outcome {
  return runNoting(algorithm, options, () => {});
}

function runNoting(algorithm: AnyAlgorithm, options: SimulateOptions, heard: (law: Law) => void): Outcome {
  // Invariants are checked by the random elections and the searches; here they would cost the fast loop.
  const election = new Run(algorithm, { invariants: 'none', ...options });
  while (!election.advance());
  const outcome = election.outcome();
  for (const { law, value } of election.laws()) {
    heard(law);
    const seen = measured(outcome, law.measure);
    if (!isBroken(law.kind, seen, value)) continue;
    const what =
      typeof law.measure === 'object' && 'messages' in law.measure ? law.measure.messages : law.measure;
    throw new Error(
      `${algorithm.name} broke a law: ${law.kind} ${what} = ${law.formula} gives ${value}, ` +
        `the run has ${seen}; replay: ${election.plan.replay}`,
    );
  }
  return outcome;
}

/** The command that replays a run. */
export function replayOf(algorithm: AnyAlgorithm, options: SimulateOptions): string {
  return new Run(algorithm, options).plan.replay;
}

/**
 * Checks that every law of the algorithm applies to at least one of these runs, and holds in all that it applies to.
 */
export function expectEveryLawHolds(algorithm: AnyAlgorithm, runs: readonly SimulateOptions[]): void {
  const heard = new Set<Law>();
  for (const options of runs) runNoting(algorithm, options, (law) => heard.add(law));
  const silent = algorithm.laws.filter((law: Law) => !heard.has(law));
  expect(silent).toEqual([]);
}
