/**
 * Claims as data: the sentence, where it comes from and the method that decides it; and the findings of a measurement.
 *
 * A study measures one claim, or several claims on the same elections. Its findings are in the order of its claims.
 */
import type { Plot } from '@hustings/study/drawing';
import type { Experiment } from './experiment.ts';
import type { Origin } from './origin.ts';

/** How a claim is decided. */
export type Method =
  | 'exact count'
  | 'upper bound'
  | 'mean of runs'
  | 'share of runs'
  | 'every order'
  | 'every schedule'
  | 'exact probabilities'
  | 'every algorithm'
  | 'formula'
  | 'one run'
  | 'symmetric run'
  | 'table'
  | 'out of scope';

/** A statement about elections. */
export interface Claim {
  /** Unique: the name of the row and a word, such as chang-roberts/mean. */
  readonly id: string;
  readonly origin: Origin;
  readonly says: string;
  readonly method: Method;
}

/**
 * The result of a measurement. A statement about all algorithms, or about all systems, is at most illustrated by examples.
 */
export type Verdict = 'confirmed' | 'refuted' | 'illustrated' | 'undecided';

/** All verdicts, in the order in which they are counted. */
export const VERDICTS: readonly Verdict[] = ['confirmed', 'refuted', 'illustrated', 'undecided'];

/** Figures that a finding shows. */
export interface FindingTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** What the measurement of a claim found. */
export interface Finding {
  readonly verdict: Verdict;
  readonly measured: string;
  /** Why the claim is refuted or undecided, or a remark. */
  readonly why?: string;
  /** The command that reproduces it, or shows one of its elections. */
  readonly replay?: string;
  readonly plot?: Plot;
  readonly table?: FindingTable;
}

/** Claims that are measured together. */
export interface Study {
  readonly claims: readonly Claim[];
  /** Runs the elections and returns one finding per claim. */
  measure(experiment: Experiment): readonly Finding[];
}

/** The claims of one algorithm or subject. */
export interface Row {
  readonly name: string;
  readonly title: string;
  readonly studies: readonly Study[];
  /** All findings in one table. */
  overview?(findings: readonly Finding[]): FindingTable;
}

/** The rows of one kind of network. */
export interface Family {
  readonly name: string;
  readonly title: string;
  readonly rows: readonly Row[];
}

/** A claim of a study whose method follows from its kind. */
export type Statement = Omit<Claim, 'method'>;

/** A study of one claim. */
export function study({ measure, ...claim }: Claim & { measure(experiment: Experiment): Finding }): Study {
  return { claims: [claim], measure: (experiment) => [measure(experiment)] };
}

/** A claim that running elections cannot decide, and the reason. */
export function outOfScope({ why, ...claim }: Statement & { readonly why: string }): Study {
  const finding = { verdict: 'undecided', measured: '–', why } as const;
  return study({ ...claim, method: 'out of scope', measure: () => finding });
}

/** Confirmed if the claim holds, otherwise refuted. */
export function verdictOf(holds: boolean): Verdict {
  return holds ? 'confirmed' : 'refuted';
}
