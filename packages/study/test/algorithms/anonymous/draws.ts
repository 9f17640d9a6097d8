/** Randomized elections: the random draws of a run, and means over many seeds with their standard errors. */
import type { AnyAlgorithm } from '../../../src/kernel/index.ts';
import { Run, type SimulateOptions } from '../../../src/simulator/index.ts';
import type { Draws } from './itai-rodeh/itai-rodeh.reference.ts';

/** The rounds of a run in order, with the draws of each. */
export function drawsOf(algorithm: AnyAlgorithm, options: SimulateOptions): Draws[] {
  const rounds: Map<number, number>[] = [];
  const run = new Run(algorithm, {
    ...options,
    states: true,
    observe: (event) => {
      if (event.type !== 'state' || event.state.at !== 'active') return;
      const { round, id } = event.state as { round: number; id: number };
      rounds[round - 1] ??= new Map();
      rounds[round - 1].set(event.node, id);
    },
  });
  while (!run.advance());
  return rounds;
}

export interface Sample {
  readonly mean: number;
  /** The standard error of the mean. */
  readonly standardError: number;
}

export function sampleOf(figures: readonly number[]): Sample {
  const mean = figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
  const squares = figures.reduce((sum, figure) => sum + (figure - mean) ** 2, 0);
  return { mean, standardError: Math.sqrt(squares / (figures.length - 1) / figures.length) };
}

/** The round in which the leader was elected, for the seeds 1..runs. */
export function roundsToWin(algorithm: AnyAlgorithm, options: SimulateOptions, runs: number): number[] {
  return Array.from({ length: runs }, (_, index) => {
    const run = new Run(algorithm, { ...options, seed: index + 1 });
    while (!run.advance());
    const { leader } = run.outcome();
    if (leader === null) throw new Error(`nobody leads; replay: ${run.plan.replay}`);
    return Number(run.simulation.machine.fieldsOf(leader.position).round);
  });
}
