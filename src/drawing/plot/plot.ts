/** The content of a plot: measured points, and laws as curves. */

/** A measured point. */
export interface PlotPoint {
  readonly x: number;
  readonly y: number;
  /** The confidence interval: drawn as a band from point to point. */
  readonly band?: readonly [low: number, high: number] | undefined;
  /** The spread of the runs: drawn as a thin line through the point. */
  readonly spread?: readonly [low: number, high: number] | undefined;
}

/** A curve, such as a law. */
export interface PlotCurve {
  readonly name: string;
  /** Dotted for a bound. */
  readonly dash: 'solid' | 'dashed' | 'dotted';
  /** The series whose colour it has; null if it belongs to several. */
  readonly series: number | null;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** What a plot shows. */
export interface Plot {
  readonly title: string;
  readonly subtitle: string;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly series: readonly { readonly name: string; readonly points: readonly PlotPoint[] }[];
  readonly curves: readonly PlotCurve[];
  /** Lines below the legend. */
  readonly notes: readonly string[];
}
