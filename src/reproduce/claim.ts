/**
 * A claim of a source, as data: who says what, and how it is put to the test. And what a test of it found.
 *
 * A study measures one claim or several that the same elections speak of: its findings are in the order of its claims.
 */
import type { Plot } from '../drawing/plot/plot.ts';
import type { Experiment } from './experiment.ts';

/** How a claim is put to the test. */
export type Method =
  | 'to the digit'
  | 'never passed'
  | 'mean of runs'
  | 'share of runs'
  | 'every order'
  | 'every schedule'
  | 'exact chances'
  | 'one run'
  | 'symmetric run'
  | 'table'
  | 'not run here';

export interface Claim {
  /** Unique: the row and a word, as in chang-roberts/mean. */
  readonly id: string;
  readonly source: string;
  readonly says: string;
  readonly method: Method;
}

export type Verdict = 'confirmed' | 'refuted' | 'undecided';

export interface FindingTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface Finding {
  readonly verdict: Verdict;
  readonly measured: string;
  /** Why it is refuted or undecided; or what else is to be known. */
  readonly why?: string;
  /** The command that shows it. */
  readonly replay?: string;
  readonly plot?: Plot;
  readonly table?: FindingTable;
}

export interface Study {
  readonly claims: readonly Claim[];
  measure(experiment: Experiment): readonly Finding[];
}

/** What the claims of an algorithm or a subject are listed under: a row of the catalogue of systems. */
export interface Row {
  readonly name: string;
  readonly title: string;
  readonly studies: readonly Study[];
  /** All of its findings in one table, where a reader would want that. */
  overview?(findings: readonly Finding[]): FindingTable;
}

export interface Family {
  readonly name: string;
  readonly title: string;
  readonly rows: readonly Row[];
}

/** A study of one claim. */
export function study(claim: Claim, measure: (experiment: Experiment) => Finding): Study {
  return { claims: [claim], measure: (experiment) => [measure(experiment)] };
}

/** A claim that no run of this program can decide, and why. */
export function outOfScope(claim: Omit<Claim, 'method'>, why: string): Study {
  return study({ ...claim, method: 'not run here' }, () => ({ verdict: 'undecided', measured: '–', why }));
}

/** Confirmed or refuted, by what was found. */
export function verdictOf(holds: boolean): Verdict {
  return holds ? 'confirmed' : 'refuted';
}
