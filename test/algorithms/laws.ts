/**
 * Runs an election and holds it to the laws of its algorithm: what is exact to the digit, what is a bound not to
 * be passed. A mean is no law of one run. A broken law prints the line that replays it.
 */
import { expect } from 'vitest';
import type { AnyAlgorithm } from '../../src/kernel/algorithm.ts';
import type { Law } from '../../src/kernel/law.ts';
import { measured } from '../../src/simulator/measured.ts';
import type { SimulateOptions } from '../../src/simulator/options.ts';
import { type Outcome, Run } from '../../src/simulator/simulate.ts';

function isBroken(kind: Law['kind'], seen: number | null, value: number): boolean {
  if (kind === 'mean') return false;
  return seen === null || (kind === 'exact' ? seen !== value : seen > value);
}

/** Simulates; throws if the election is not valid or a law that speaks of the run does not hold. */
export function run(algorithm: AnyAlgorithm, options: SimulateOptions = {}): Outcome {
  return runHeeding(algorithm, options, () => {});
}

function runHeeding(algorithm: AnyAlgorithm, options: SimulateOptions, heard: (law: Law) => void): Outcome {
  const election = new Run(algorithm, options);
  while (!election.advance());
  const outcome = election.outcome();
  for (const { law, value } of election.laws()) {
    heard(law);
    const seen = measured(outcome, law.measure);
    if (!isBroken(law.kind, seen, value)) continue;
    const what = typeof law.measure === 'object' ? law.measure.messages : law.measure;
    throw new Error(
      `${algorithm.name} broke a law: ${law.kind} ${what} = ${law.formula} gives ${value}, ` +
        `the run has ${seen}; replay: ${election.plan.replay}`,
    );
  }
  return outcome;
}

/** The line that replays a run. */
export function replayOf(algorithm: AnyAlgorithm, options: SimulateOptions): string {
  return new Run(algorithm, options).plan.replay;
}

/** Every law of the algorithm speaks of at least one of these runs, and holds on all that it speaks of. */
export function expectEveryLawHolds(algorithm: AnyAlgorithm, runs: readonly SimulateOptions[]): void {
  const heard = new Set<Law>();
  for (const options of runs) runHeeding(algorithm, options, (law) => heard.add(law));
  const silent = algorithm.laws.filter((law: Law) => !heard.has(law));
  expect(silent).toEqual([]);
}
