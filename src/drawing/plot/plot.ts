/** What a plot shows: points that were measured, and curves that they should lie on or under. */

/** A measured point. */
export interface PlotPoint {
  readonly x: number;
  readonly y: number;
  /** Around the mean: drawn as a band from point to point. */
  readonly band?: readonly [low: number, high: number] | undefined;
  /** Of the single runs: drawn as a thin line through the point. */
  readonly spread?: readonly [low: number, high: number] | undefined;
}

/** A curve, such as a law. */
export interface PlotCurve {
  readonly name: string;
  /** Dotted ones are bounds. */
  readonly dash: 'solid' | 'dashed' | 'dotted';
  /** The series whose colour it has; null if it is of several. */
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
  /** Below the legend. */
  readonly notes: readonly string[];
}
