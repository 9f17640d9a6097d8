/**
 * Many elections over sizes, orders, schedules and algorithms: mean costs, their spread, and the laws.
 *
 * Guarantees: the same options and seed give the same result, to the last bit, on any number of threads. Memory does not
 * grow with the number of runs. A failed election is an error with the command that repeats it, never a figure.
 * Does not use more than one core. Several threads share a sweep with `planSweep`, `runChunk` and `SweepTally`.
 */
import type { AnyAlgorithm } from '../kernel/algorithm.ts';
import { Run } from '../simulator/simulate.ts';
import { addRun, type CellTally, emptyTally } from './cell-tally.ts';
import { figureOf, isElected } from './sweep-measure.ts';
import type { SweepOptions } from './sweep-options.ts';
import { chunksOf, optionsOf, planSweep, type SweepChunk, type SweepPlan } from './sweep-plan.ts';
import { resultOf, type SweepResult } from './sweep-result.ts';
import { SweepTally } from './sweep-tally.ts';

/** Runs a sweep in the calling thread. */
export function sweep(algorithms: readonly AnyAlgorithm[], options: SweepOptions = {}): SweepResult {
  const plan = planSweep(algorithms, options);
  const tally = new SweepTally(plan);
  for (const chunk of chunksOf(plan)) tally.add(chunk, runChunk(plan, chunk));
  return resultOf(tally);
}

/**
 * Calls `step` until it returns true. Each step runs many events of `current()`; a driver may watch how long steps take.
 */
export type StepDriver = (step: () => boolean, current: () => Run) => void;

/** Runs one chunk of a sweep and returns its tally. */
export function runChunk(plan: SweepPlan, chunk: SweepChunk, drive: StepDriver = stepToEnd): CellTally {
  const cell = plan.cells[chunk.cell];
  const { algorithm, laws } = cell.series;
  const tally = emptyTally(laws.length);
  // A sweep measures: without invariants to check, runs in lockstep take the fast loop.
  const begin = (index: number): Run =>
    new Run(algorithm, { ...optionsOf(plan, cell, index), invariants: 'none' });
  let index = chunk.first;
  let run = begin(index);
  const step = (): boolean => {
    if (!run.advance()) return false;
    const outcome = run.outcome();
    if (run.isAtLimit)
      run.fail('termination', `the run was stopped after ${run.plan.stepLimit} events, before its end`);
    const facts = laws.length > 0 ? run.facts() : null;
    addRun(tally, figureOf(outcome, plan.measure), isElected(outcome), laws, facts);
    if (++index === chunk.first + chunk.runs) return true;
    run = begin(index);
    return false;
  };
  drive(step, () => run);
  return tally;
}

const stepToEnd: StepDriver = (step) => {
  while (!step());
};
