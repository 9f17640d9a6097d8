/**
 * An experiment runs the elections of a study: it counts them and gives each run its own seed.
 *
 * Guarantees: the same seed and the same study give the same figures, whatever was measured before. Another seed gives
 * other random orders, delays and draws.
 */
import { type AnyAlgorithm, Random } from '@hustings/study/kernel';
import { type Outcome, Run, type SimulateOptions } from '@hustings/study/simulator';

/** How claims are measured. */
export interface ExperimentOptions {
  readonly seed: number;
  /** Fewer runs and smaller sizes: seconds instead of minutes. */
  readonly quick: boolean;
}

/** Distance between the run seeds of two consecutive experiment seeds. */
const SEEDS_EACH = 1_000_000;
const MAX_BASES = Math.floor(Number.MAX_SAFE_INTEGER / SEEDS_EACH) - 1;

/** Runs elections with derived seeds. */
export class Experiment {
  readonly seed: number;
  readonly quick: boolean;
  /** Number of elections run. */
  runs = 0;

  constructor({ seed, quick }: ExperimentOptions) {
    this.seed = seed;
    this.quick = quick;
  }

  /** The seed of run number `index`. */
  seedOf(index: number): number {
    return (this.seed % MAX_BASES) * SEEDS_EACH + (index % SEEDS_EACH);
  }

  /** The first number in a quick run, the second in a full one. */
  some(quick: number, full: number): number {
    return this.quick ? quick : full;
  }

  /** A PRNG stream with this name. */
  random(name: string): Random {
    return new Random(this.seed, name);
  }

  /** Runs an election to its end. */
  run(algorithm: AnyAlgorithm, options: SimulateOptions = {}): Run {
    this.runs++;
    const run = new Run(algorithm, { invariants: 'none', ...options });
    while (!run.advance());
    return run;
  }

  /** Runs an election to its end and returns its outcome. */
  outcome(algorithm: AnyAlgorithm, options: SimulateOptions = {}): Outcome {
    return this.run(algorithm, options).outcome();
  }
}
