/** Statistics of many runs of one kind, without the runs. Plain data: each thread fills its own, and they are merged. */
import { type Law, lawValue, obeys, type RunFacts } from '../kernel/law.ts';
import { addFigure, type Moments, mergeMoments, noMoments } from './moments.ts';
import { countFigure, mergeSketches, type QuantileSketch } from './quantile-sketch.ts';

/** How runs compare with a law. */
export interface LawTally {
  /** The values of the law for the runs to which it applies. */
  readonly said: Moments;
  /** Runs that violate it. A mean does not apply to a single run. */
  broken: number;
}

/** The tally of one size of one series. */
export interface CellTally {
  runs: number;
  /** Runs without exactly one leader known to all nodes, if that is a result and not an error. */
  failed: number;
  /** Only runs in which the measured event happened. */
  readonly figures: Moments;
  readonly sketch: QuantileSketch;
  /** In the order of the laws. */
  readonly laws: readonly LawTally[];
}

export function emptyTally(laws: number): CellTally {
  return {
    runs: 0,
    failed: 0,
    figures: noMoments(),
    sketch: new Map(),
    laws: Array.from({ length: laws }, () => ({ said: noMoments(), broken: 0 })),
  };
}

export function addRun(
  tally: CellTally,
  figure: number | null,
  isValid: boolean,
  laws: readonly Law[],
  facts: RunFacts | null,
): void {
  tally.runs++;
  if (!isValid) tally.failed++;
  if (figure === null) return;
  addFigure(tally.figures, figure);
  countFigure(tally.sketch, figure);
  if (facts === null) return;
  laws.forEach((law, index) => {
    const value = lawValue(law, facts);
    if (value === undefined) return;
    addFigure(tally.laws[index].said, value);
    if (obeys(law, value, figure) === false) tally.laws[index].broken++;
  });
}

export function mergeTallies(into: CellTally, other: CellTally): void {
  into.runs += other.runs;
  into.failed += other.failed;
  mergeMoments(into.figures, other.figures);
  mergeSketches(into.sketch, other.sketch);
  into.laws.forEach((law, index) => {
    mergeMoments(law.said, other.laws[index].said);
    law.broken += other.laws[index].broken;
  });
}

/** Merges the tally of the next chunk of a cell; `merged` is undefined before its first chunk. */
export function mergeInto(merged: CellTally | undefined, next: CellTally): CellTally {
  const into = merged ?? emptyTally(next.laws.length);
  mergeTallies(into, next);
  return into;
}
