/** The content of a plot: measured points, and laws as curves. */

/** A measured point. */
export interface PlotPoint {
  readonly x: number;
  readonly y: number;
  /** The confidence interval: drawn as a bar with ends. */
  readonly interval?: readonly [low: number, high: number] | undefined;
  /** The spread of the runs: drawn as a band from point to point. */
  readonly spread?: readonly [low: number, high: number] | undefined;
}

/** A curve, such as a law. */
export interface PlotCurve {
  readonly name: string;
  /** Solid for an exact law, dashed for a mean, dotted for a bound, dash-dotted for a fit. */
  readonly dash: 'solid' | 'dashed' | 'dotted' | 'dash-dotted';
  /** The series to which it belongs. Its label starts with their marks. */
  readonly series: readonly number[];
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
  /** Linear axes that begin at 0; by default they are logarithmic if all values are above 0. */
  readonly isLinear?: boolean;
  /** What the marks mean, below the plot. */
  readonly notes: readonly string[];
}
