/** The curves, points and confidence intervals of a plot in pixels. */
import type { Point } from '../svg.ts';
import type { Plot, PlotCurve, PlotPoint } from './plot.ts';
import type { PlotAxis } from './plot-axis.ts';
import { markRadius, ownerOf } from './plot-label.ts';
import type { PlotBand, PlotBar, PlotLine, PlotMark } from './plot-scene.ts';

export interface Content {
  readonly bands: readonly PlotBand[];
  readonly lines: readonly PlotLine[];
  readonly bars: readonly PlotBar[];
  readonly marks: readonly PlotMark[];
  /** Where the line of each series and curve ends. */
  readonly ends: ReadonlyMap<Plot['series'][number] | PlotCurve, Point>;
}

export function drawContent(plot: Plot, x: PlotAxis, y: PlotAxis, top: number, text: number): Content {
  const at = (point: { x: number; y: number }): Point => ({ x: x.at(point.x), y: y.at(point.y) });
  const ends = new Map<Plot['series'][number] | PlotCurve, Point>();
  const lines: PlotLine[] = [];
  for (const curve of plot.curves) {
    const traces = tracesOf(curve, x, y, top, text);
    lines.push(...traces.map((points) => ({ type: curve.dash, series: ownerOf(curve), points })));
    const end = traces.at(-1)?.at(-1);
    if (end !== undefined) ends.set(curve, end);
  }
  const bands: PlotBand[] = [];
  const bars: PlotBar[] = [];
  const marks: PlotMark[] = [];
  plot.series.forEach((each, series) => {
    const { points } = each;
    const last = points.at(-1);
    if (last !== undefined) ends.set(each, at(last));
    // A law through all points stands for their line; a bound or a fit does not.
    const hasLaw = plot.curves.some(
      ({ dash, points: known, series: of }) =>
        of.includes(series) && (dash === 'solid' || dash === 'dashed') && known.length >= points.length,
    );
    if (!hasLaw && points.length > 1) lines.push({ type: 'measured', series, points: points.map(at) });
    const spread = points.flatMap(({ spread: range, x: n }) => (range === undefined ? [] : [{ n, range }]));
    if (spread.length > 1) {
      const side = (end: 0 | 1): Point[] => spread.map(({ n, range }) => at({ x: n, y: range[end] }));
      bands.push({ series, outline: [...side(0), ...side(1).reverse()] });
    }
    for (const point of points) {
      const bar = barOf(point, series, x, y);
      if (bar !== null) bars.push(bar);
      marks.push({ series, at: at(point), radius: markRadius(text) });
    }
  });
  return { bands, lines, bars, marks, ends };
}

function barOf(point: PlotPoint, series: number, x: PlotAxis, y: PlotAxis): PlotBar | null {
  if (point.interval === undefined) return null;
  const [low, high] = point.interval;
  return { series, x: x.at(point.x), low: y.at(low), high: y.at(high) };
}

/** The parts of a curve below `top`. A curve through a single size would be invisible, so it becomes a short line. */
export function tracesOf(
  { points }: PlotCurve,
  x: PlotAxis,
  y: PlotAxis,
  top: number,
  text: number,
): Point[][] {
  const all = points.map((point) => ({ x: x.at(point.x), y: y.at(point.y) }));
  const [only] = all;
  if (all.length === 1) {
    return only.y < top ? [] : [[-text, text].map((step) => ({ x: only.x + step, y: only.y }))];
  }
  const traces: Point[][] = [];
  let trace: Point[] = [];
  all.forEach((point, index) => {
    const before = all[index - 1];
    const isInside = point.y >= top;
    if (before !== undefined && isInside !== before.y >= top) {
      const share = (top - before.y) / (point.y - before.y);
      trace.push({ x: before.x + share * (point.x - before.x), y: top });
    }
    if (isInside) trace.push(point);
    else if (trace.length > 0) {
      traces.push(trace);
      trace = [];
    }
  });
  return trace.length > 0 ? [...traces, trace] : traces;
}
