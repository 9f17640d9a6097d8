/** A plot as geometry in pixels, without colours. A renderer draws it; tests measure it. */
import type { PlacedText } from '../placed-text.ts';
import type { Point } from '../svg.ts';
import type { Box } from '../text-box.ts';
import type { PlotCurve } from './plot.ts';

export interface PlotText extends PlacedText {
  readonly role: 'title' | 'subtitle' | 'axis' | 'tick' | 'name' | 'law' | 'note';
  /** The series whose colour it has. */
  readonly series: number | null;
}

/** A series of null is grey: the line belongs to several series or to none. */
export interface PlotLine {
  readonly type: 'measured' | 'leader' | PlotCurve['dash'];
  readonly series: number | null;
  readonly points: readonly Point[];
}

/** The sign of a series, at a point and before labels. */
export interface PlotMark {
  readonly series: number;
  readonly at: Point;
  readonly radius: number;
}

/** A confidence interval. */
export interface PlotBar {
  readonly series: number;
  readonly x: number;
  readonly low: number;
  readonly high: number;
}

/** The spread of the runs of a series: a closed outline. */
export interface PlotBand {
  readonly series: number;
  readonly outline: readonly Point[];
}

/** A grid line at a pixel. */
export interface GridLine {
  readonly at: number;
  readonly isNamed: boolean;
}

export interface PlotScene {
  readonly width: number;
  readonly height: number;
  /** The base of all font sizes, line widths and radii. */
  readonly text: number;
  readonly frame: Box;
  readonly columns: readonly GridLine[];
  readonly rows: readonly GridLine[];
  readonly bands: readonly PlotBand[];
  readonly lines: readonly PlotLine[];
  readonly bars: readonly PlotBar[];
  readonly marks: readonly PlotMark[];
  readonly texts: readonly PlotText[];
}
