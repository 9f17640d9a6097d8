/** What a sweep came to: one point for each size of each series, in figures that JSON can hold. */
import type { Law } from '../kernel/law.ts';
import type { Setting } from '../kernel/params.ts';
import { halfWidthOf } from './confidence.ts';
import { type Moments, varianceOf } from './moments.ts';
import { quantilesOf } from './quantile-sketch.ts';
import { partsOf, type SweepMeasure } from './sweep-measure.ts';
import type { SweepCell } from './sweep-plan.ts';
import type { SweepTally } from './sweep-tally.ts';

/** A law beside the runs that it speaks of. */
export interface SweepLaw {
  readonly kind: Law['kind'];
  readonly formula: string;
  readonly when?: string;
  readonly runs: number;
  /** What it says: the mean over those runs, where it asks for more than n. */
  readonly value: number;
  /** Runs that did not obey: of a mean, always 0. */
  readonly broken: number;
}

/** Figures are null where nothing was measured; the interval and the variance also of a single run. */
export interface SweepPoint {
  readonly n: number;
  readonly runs: number;
  readonly complete: boolean;
  /** Runs without exactly one leader known to all, where that is a result and not an error. */
  readonly failed: number;
  /** Runs in which what is measured did happen. */
  readonly measured: number;
  readonly mean: number | null;
  readonly variance: number | null;
  /** In which the true mean lies with 95 % confidence. */
  readonly interval: readonly [low: number, high: number] | null;
  readonly min: number | null;
  readonly max: number | null;
  /** Within 1 %. */
  readonly quantiles: { readonly p05: number; readonly median: number; readonly p95: number } | null;
  readonly laws: readonly SweepLaw[];
}

/** The result of a sweep, as `--json` prints it. */
export interface SweepResult {
  readonly version: 1;
  readonly measure: SweepMeasure;
  readonly seed: number;
  /** Wanted, for each point. */
  readonly runs: number;
  readonly sizes: readonly number[];
  /** What holds for every run and is not as by default, as the command line would say it. */
  readonly setting: Readonly<Record<string, string>>;
  /** Whether all runs of all points are in. */
  readonly complete: boolean;
  readonly series: readonly {
    readonly algorithm: string;
    readonly title: string;
    readonly order: string;
    readonly schedule: string;
    readonly set: Readonly<Record<string, Setting>>;
    readonly points: readonly SweepPoint[];
  }[];
}

/** The result of the runs tallied so far. */
export function resultOf(tally: SweepTally): SweepResult {
  const { plan } = tally;
  const points = plan.cells.map((cell) => pointOf(tally, cell));
  return {
    version: 1,
    measure: plan.measure,
    seed: plan.seed,
    runs: plan.runs,
    sizes: plan.sizes,
    setting: plan.setting,
    complete: points.every(({ complete }) => complete),
    series: plan.series.map((series) => ({
      algorithm: series.algorithm.name,
      title: series.algorithm.title,
      order: series.order,
      schedule: series.schedule,
      set: series.run.set ?? {},
      points: points.filter((_, index) => plan.cells[index].series === series),
    })),
  };
}

function pointOf(tally: SweepTally, cell: SweepCell): SweepPoint {
  const { runs, failed, figures, sketch, laws } = tally.of(cell);
  const known = (value: number): number | null => (figures.count === 0 ? null : value);
  return {
    n: cell.n,
    runs,
    complete: runs === tally.plan.runs,
    failed,
    measured: figures.count,
    mean: known(figures.mean),
    variance: varianceOf(figures),
    interval: intervalOf(figures),
    min: known(figures.least),
    max: known(figures.most),
    quantiles:
      figures.count === 0
        ? null
        : namedQuantiles(quantilesOf(sketch, [0.05, 0.5, 0.95]), figures, partsOf(tally.plan.measure)),
    laws: cell.series.laws.flatMap(({ kind, formula, when }, index): SweepLaw[] => {
      const { said, broken } = laws[index];
      if (said.count === 0) return [];
      return [
        { kind, formula, ...(when !== undefined && { when }), runs: said.count, value: said.mean, broken },
      ];
    }),
  };
}

function intervalOf(figures: Moments): SweepPoint['interval'] {
  const half = halfWidthOf(figures);
  return half === null ? null : [figures.mean - half, figures.mean + half];
}

/** None lies outside of the figures, or between two that can be. */
function namedQuantiles(
  found: readonly number[],
  { least, most }: Moments,
  parts: number,
): SweepPoint['quantiles'] {
  const [p05, median, p95] = found.map((value) =>
    Math.max(least, Math.min(most, Math.round(value * parts) / parts)),
  );
  return { p05, median, p95 };
}
