/**
 * Where claims are measured: counts the elections, and gives every run a seed of its own.
 *
 * Guarantees: the same seed and the same study give the same figures, whatever was measured before; another seed draws
 * other orders, delays and lots.
 */
import type { AnyAlgorithm } from '../kernel/algorithm.ts';
import { Random } from '../kernel/random.ts';
import type { SimulateOptions } from '../simulator/options.ts';
import { type Outcome, Run } from '../simulator/simulate.ts';

export interface ExperimentOptions {
  readonly seed: number;
  /** Fewer runs and smaller sizes: seconds in place of minutes. */
  readonly quick: boolean;
}

/** Seeds of runs lie so far apart for two seeds of the whole. */
const SEEDS_EACH = 1_000_000;
const MOST_BASES = Math.floor(Number.MAX_SAFE_INTEGER / SEEDS_EACH) - 1;

export class Experiment {
  readonly seed: number;
  readonly quick: boolean;
  /** Elections that were run. */
  runs = 0;

  constructor({ seed, quick }: ExperimentOptions) {
    this.seed = seed;
    this.quick = quick;
  }

  /** The seed of run number `index`. */
  seedOf(index: number): number {
    return (this.seed % MOST_BASES) * SEEDS_EACH + (index % SEEDS_EACH);
  }

  /** As many as there is time for. */
  some(quick: number, full: number): number {
    return this.quick ? quick : full;
  }

  random(name: string): Random {
    return new Random(this.seed, name);
  }

  /** A run that is over. */
  run(algorithm: AnyAlgorithm, options: SimulateOptions = {}): Run {
    this.runs++;
    const run = new Run(algorithm, options);
    while (!run.advance());
    return run;
  }

  outcome(algorithm: AnyAlgorithm, options: SimulateOptions = {}): Outcome {
    return this.run(algorithm, options).outcome();
  }
}
