/** What many runs of one kind came to, without the runs. Plain data: threads fill one each, which are then merged. */
import { type Law, obeys, type RunFacts } from '../kernel/law.ts';
import { addFigure, type Moments, mergeMoments, noMoments } from './moments.ts';
import { countFigure, mergeSketches, type QuantileSketch } from './quantile-sketch.ts';

/** How runs compare with a law. */
export interface LawTally {
  /** What the law says of the runs that it speaks of. */
  readonly said: Moments;
  /** Runs that did not obey. A mean is no law of one run. */
  broken: number;
}

/** The tally of one size of one series. */
export interface CellTally {
  runs: number;
  /** Runs without exactly one leader known to all, where that is a result and not an error. */
  failed: number;
  /** Of the runs in which what is measured did happen. */
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
    const value = law.value(facts);
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
