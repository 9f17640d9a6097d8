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
import { figureOf } from './sweep-measure.ts';
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

/** Runs one chunk. `takeToEnd` runs a single election, for callers that watch its handlers. */
export function runChunk(
  plan: SweepPlan,
  chunk: SweepChunk,
  takeToEnd: (run: Run) => void = advanceToEnd,
): CellTally {
  const cell = plan.cells[chunk.cell];
  const { algorithm, laws } = cell.series;
  const tally = emptyTally(laws.length);
  for (let index = chunk.first; index < chunk.first + chunk.runs; index++) {
    // A sweep measures: without invariants to check, runs in lockstep take the fast loop.
    const run = new Run(algorithm, { ...optionsOf(plan, cell, index), invariants: 'none' });
    takeToEnd(run);
    const outcome = run.outcome();
    const { termination, uniqueness, agreement } = outcome.valid;
    addRun(
      tally,
      figureOf(outcome, plan.measure),
      termination && uniqueness && agreement,
      laws,
      laws.length > 0 ? run.facts() : null,
    );
  }
  return tally;
}

function advanceToEnd(run: Run): void {
  while (!run.advance());
}
