/** The result of a sweep as JSON: one point for each size of each series. */
import type { Law } from '../kernel/law.ts';
import type { Setting } from '../kernel/params.ts';
import { halfWidthOf, rateInterval } from './confidence.ts';
import { fitGrowth, type Growth, type GrowthFit } from './growth.ts';
import { type Moments, varianceOf } from './moments.ts';
import { quantilesOf } from './quantile-sketch.ts';
import { partsOf, type SweepMeasure } from './sweep-measure.ts';
import type { SweepCell } from './sweep-plan.ts';
import type { SweepTally } from './sweep-tally.ts';

/** A law and the runs to which it applies. */
export interface SweepLaw {
  readonly kind: Law['kind'];
  readonly formula: string;
  readonly when?: string;
  readonly runs: number;
  /** The value of the law: its mean over those runs if it depends on more than n. */
  readonly value: number;
  /** Runs that violate it; always 0 for a mean. */
  readonly broken: number;
}

/** Figures are null if nothing was measured; interval and variance are null for a single run too. */
export interface SweepPoint {
  readonly n: number;
  readonly runs: number;
  readonly complete: boolean;
  /** Runs without exactly one leader known to all nodes, if that is a result and not an error. */
  readonly failed: number;
  /** Runs in which the measured event happened. */
  readonly measured: number;
  readonly mean: number | null;
  readonly variance: number | null;
  /** The 95 % confidence interval of the mean. */
  readonly interval: readonly [low: number, high: number] | null;
  readonly min: number | null;
  readonly max: number | null;
  /** With an error below 1 %. */
  readonly quantiles: { readonly p05: number; readonly median: number; readonly p95: number } | null;
  readonly laws: readonly SweepLaw[];
}

/** The result of a sweep, as `--json` prints it. */
export interface SweepResult {
  readonly version: 1;
  readonly measure: SweepMeasure;
  readonly seed: number;
  /** Planned runs per point. */
  readonly runs: number;
  readonly sizes: readonly number[];
  /** Options of every run that are not the default, as text. */
  readonly setting: Readonly<Record<string, string>>;
  /** Whether all runs of all points are included. */
  readonly complete: boolean;
  readonly series: readonly {
    readonly algorithm: string;
    readonly title: string;
    /** The network that the algorithm assumes. */
    readonly network: string;
    readonly order: string;
    readonly schedule: string;
    readonly set: Readonly<Record<string, Setting>>;
    readonly points: readonly SweepPoint[];
    /** The constants of the growths of the option `fit`, where it is given. */
    readonly fits?: readonly GrowthFit[];
  }[];
}

/** The result of the runs tallied so far. */
export function resultOf(tally: SweepTally): SweepResult {
  const { measure, seed, runs, sizes, setting, cells } = tally.plan;
  const points = cells.map((cell) => pointOf(tally, cell));
  const complete = points.every((point) => point.complete);
  const series = tally.plan.series.map((each) => {
    const own = points.filter((_, index) => cells[index].series === each);
    return {
      algorithm: each.algorithm.name,
      title: each.algorithm.title,
      network: each.algorithm.assumes.network,
      order: each.order,
      schedule: each.schedule,
      set: each.run.set ?? {},
      points: own,
      ...(tally.plan.growths.length > 0 && { fits: fitsOf(tally.plan.growths, own) }),
    };
  });
  return { version: 1, measure, seed, runs, sizes, setting, complete, series };
}

function fitsOf(growths: readonly Growth[], points: readonly SweepPoint[]): GrowthFit[] {
  const fitted = points.flatMap(({ n, mean, variance, measured }) =>
    mean === null ? [] : [{ n, mean, variance: (variance ?? 0) / measured }],
  );
  return growths.map((growth) => fitGrowth(growth, fitted)).filter((fit) => fit !== null);
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
    interval: tally.plan.measure === 'errorRate' ? rateInterval(failed, runs) : intervalOf(figures),
    min: known(figures.least),
    max: known(figures.most),
    quantiles:
      figures.count === 0
        ? null
        : namedQuantiles(
            quantilesOf(sketch, [0.05, 0.5, 0.95]),
            figures,
            partsOf(tally.plan.measure, figures),
          ),
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

/** Clamped to the measured range, and rounded to a possible value. */
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
