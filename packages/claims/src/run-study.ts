/** Claims that runs decide: a single run, every run of a grid, or some runs of a grid. */
import { type AnyAlgorithm, ElectionError } from '@hustings/study/kernel';
import type { Outcome, Run, SimulateOptions } from '@hustings/study/simulator';
import { type Claim, type Finding, type Study, study, verdictOf } from './claim.ts';
import type { Experiment } from './experiment.ts';
import type { ParameterGrid } from './parameter-grid.ts';

/** A run refutes a claim. */
export function refutedBy(run: Run, measured: string): Finding {
  return { verdict: 'refuted', measured, replay: run.plan.replay };
}

/** The command of an election that violates a property; undefined if it violates none. */
export function failureOf(election: () => Outcome): string | undefined {
  try {
    election();
    return undefined;
  } catch (error) {
    if (!(error instanceof ElectionError) || error.property === 'handler') throw error;
    return error.replay;
  }
}

export interface RunClaim extends Claim {
  readonly options: (experiment: Experiment) => SimulateOptions;
  readonly finding: (outcome: Outcome) => { readonly holds: boolean; readonly measured: string };
  readonly why?: string;
}

/** A single run decides the claim. */
export function runStudy(algorithm: AnyAlgorithm, { options, finding, why, ...claim }: RunClaim): Study {
  return study({
    ...claim,
    measure(experiment) {
      const run = experiment.run(algorithm, options(experiment));
      const { holds, measured } = finding(run.outcome());
      return { verdict: verdictOf(holds), measured, ...(why && { why }), replay: run.plan.replay };
    },
  });
}

export interface EveryRunClaim extends Claim {
  readonly grid: ParameterGrid;
  /** What contradicts the claim. Without this function, only a run without exactly one leader does. */
  readonly wrong?: (
    outcome: Outcome,
    context: { readonly run: Run; readonly options: SimulateOptions; readonly experiment: Experiment },
  ) => string | undefined;
  readonly confirmed: (runs: number, experiment: Experiment) => string;
  readonly why?: string;
}

/** Every run satisfies the claim: the first that does not refutes it. */
export function everyRunStudy(algorithm: AnyAlgorithm, claimed: EveryRunClaim): Study {
  const { grid, wrong, confirmed, why, ...claim } = claimed;
  return study({
    ...claim,
    measure(experiment) {
      let runs = 0;
      let replay: string | undefined;
      for (const options of grid(experiment)) {
        const run = experiment.run(algorithm, options);
        replay ??= run.plan.replay;
        const found = wrong?.(run.outcome(), { run, options, experiment });
        if (found !== undefined) return refutedBy(run, found);
        runs++;
      }
      const shown = replay === undefined || replay.includes('<') ? {} : { replay };
      return { verdict: 'confirmed', measured: confirmed(runs, experiment), ...(why && { why }), ...shown };
    },
  });
}

export interface SomeRunsClaim extends Claim {
  readonly grid: ParameterGrid;
  /** Tests of a run. The claim holds if the first is true of some run. */
  readonly tests: readonly ((outcome: Outcome) => boolean)[];
  readonly measured: (runs: number, ...counts: readonly number[]) => string;
  readonly why?: string;
}

/** Some run satisfies the claim: the first is replayed. */
export function someRunsStudy(algorithm: AnyAlgorithm, claimed: SomeRunsClaim): Study {
  const { grid, tests, measured, why, ...claim } = claimed;
  return study({
    ...claim,
    measure(experiment) {
      const counts = tests.map(() => 0);
      let runs = 0;
      let replay: string | undefined;
      for (const options of grid(experiment)) {
        const run = experiment.run(algorithm, options);
        runs++;
        tests.forEach((test, index) => {
          if (test(run.outcome())) counts[index]++;
        });
        if (counts[0] === 1) replay ??= run.plan.replay;
      }
      return {
        verdict: verdictOf(counts[0] > 0),
        measured: measured(runs, ...counts),
        ...(why && { why }),
        ...(replay !== undefined && { replay }),
      };
    },
  });
}
