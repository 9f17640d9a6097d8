/**
 * Measures every claim and assembles the report.
 *
 * Guarantees: every claim has a verdict, and every figure comes from an election of this run. The same seed gives the same
 * figures on any number of threads. An election that violates a property refutes the claims for which it was run; any other
 * failure of a study is an error and not a verdict.
 */
import { ElectionError } from '@hustings/study/kernel';
import {
  type Claim,
  type Family,
  type Finding,
  type FindingTable,
  type Study,
  VERDICTS,
  type Verdict,
} from './claim.ts';
import { Experiment, type ExperimentOptions } from './experiment.ts';
import { families } from './families.ts';
import { KINDS, type Origin } from './origin.ts';

/** A claim with its finding. */
export interface Result extends Claim, Finding {
  /** The name of its row. */
  readonly row: string;
}

/** The report: all claims with their findings. */
export interface Reproduction {
  readonly version: 1;
  readonly seed: number;
  readonly quick: boolean;
  /** Number of elections run, without those of model checking. */
  readonly elections: number;
  /** The number of claims of each kind with each verdict. */
  readonly counts: Readonly<Record<Origin['type'], Readonly<Record<Verdict, number>>>>;
  readonly families: readonly {
    readonly name: string;
    readonly title: string;
    readonly rows: readonly MeasuredRow[];
  }[];
}

/** The results of one algorithm or subject. */
export interface MeasuredRow {
  readonly name: string;
  readonly title: string;
  readonly overview?: FindingTable;
  readonly claims: readonly Result[];
}

/** The result of one study, as plain data that can cross threads. */
export interface StudyResult {
  readonly elections: number;
  readonly findings: readonly Finding[];
}

/** In the order of the report. A study is identified by its index. */
export const studies: readonly Study[] = families.flatMap(({ rows }) => rows.flatMap((row) => row.studies));

/** Measures the study with this index. */
export function measureStudy(index: number, options: ExperimentOptions): StudyResult {
  const experiment = new Experiment(options);
  const { claims, measure } = studies[index];
  const findings = refutedByFailure(claims, () => measure(experiment));
  if (findings.length !== claims.length) {
    throw new RangeError(`${claims[0]?.id} has ${claims.length} claims and ${findings.length} findings`);
  }
  return { elections: experiment.runs, findings };
}

/** The findings of `measure`. An election without exactly one leader known to all nodes refutes all claims. */
export function refutedByFailure(
  claims: readonly Claim[],
  measure: () => readonly Finding[],
): readonly Finding[] {
  try {
    return measure();
  } catch (error) {
    if (!(error instanceof ElectionError) || error.property === 'handler') throw error;
    const { message, replay } = error;
    const [measured] = message.split('; replay: ');
    return claims.map(() => ({ verdict: 'refuted', measured, replay }));
  }
}

/** The report from the results of all studies, in order. */
export function assemble(options: ExperimentOptions, results: readonly StudyResult[]): Reproduction {
  const none = (): Record<Verdict, number> =>
    Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
  const counts = Object.fromEntries(KINDS.map((kind) => [kind, none()])) as Record<
    Origin['type'],
    Record<Verdict, number>
  >;
  let next = 0;
  const claimsOf = ({ name, studies: own }: Family['rows'][number]): Result[] =>
    own.flatMap(({ claims }) => {
      const { findings } = results[next++];
      return claims.map((claim, index) => {
        counts[claim.origin.type][findings[index].verdict]++;
        return { row: name, ...claim, ...findings[index] };
      });
    });
  const measured = families.map(({ name, title, rows }) => ({
    name,
    title,
    rows: rows.map((row): MeasuredRow => {
      const claims = claimsOf(row);
      const overview = row.overview?.(claims);
      return { name: row.name, title: row.title, ...(overview && { overview }), claims };
    }),
  }));
  const elections = results.reduce((sum, result) => sum + result.elections, 0);
  return { version: 1, ...options, elections, counts, families: measured };
}

/** Measures all claims on one core. */
export function reproduce(options: ExperimentOptions): Reproduction {
  return assemble(
    options,
    studies.map((_, index) => measureStudy(index, options)),
  );
}
