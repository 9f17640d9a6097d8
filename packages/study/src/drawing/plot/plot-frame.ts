/** What surrounds the curves of a plot: titles, axes, grid lines and notes. */
import { placeText } from '../placed-text.ts';
import { type Anchor, textWidth } from '../text-box.ts';
import type { Plot } from './plot.ts';
import { axisFor, namedTicks, type PlotAxis } from './plot-axis.ts';
import { LINE_HEIGHT, wrapText } from './plot-label.ts';
import type { PlotScene, PlotText } from './plot-scene.ts';

/** How far above the highest point a bound is drawn, as a factor. */
const BOUND_ROOM = 3;

export class Writer {
  readonly texts: PlotText[] = [];

  write(text: string, role: PlotText['role'], x: number, y: number, size: number, anchor: Anchor): void {
    const isBold = role === 'title';
    this.texts.push(placeText({ text, role, x, y, size, anchor, isBold, series: null }));
  }
}

/** Returns the lower edge. */
export function writeHead(
  writer: Writer,
  plot: Plot,
  edge: number,
  most: number,
  text: number,
  titleSize = 1.55,
): number {
  let y = edge;
  const write = (content: string, role: 'title' | 'subtitle', size: number): void => {
    for (const line of wrapText(content, most, (each) => textWidth(each, size, role === 'title'))) {
      writer.write(line, role, edge, y + (size * LINE_HEIGHT) / 2, size, 'start');
      y += size * LINE_HEIGHT;
    }
  };
  write(plot.title, 'title', titleSize * text);
  if (plot.subtitle !== '') write(plot.subtitle, 'subtitle', 0.92 * text);
  return y;
}

export function notesOf(plot: Plot): string {
  const values = valuesOf(plot);
  const [x, y] = [values.x, values.y].map((each) => axisFor(each, 0, 1).isLogarithmic);
  const scale = x && y ? ['logarithmic axes'] : x ? ['logarithmic x axis'] : y ? ['logarithmic y axis'] : [];
  return [...plot.notes, ...scale].join(' · ');
}

export function widestTick({ ticks }: PlotAxis, text: number): number {
  return Math.max(0, ...ticks.map(({ label }) => textWidth(label, 0.86 * text)));
}

/** The values on the axes. An axis with a 0 is linear. */
export function valuesOf({ curves, isLinear = false, series }: Plot): {
  readonly x: readonly number[];
  readonly y: readonly number[];
} {
  const points = series.flatMap((each) => each.points);
  const seen = points.flatMap(({ y, interval = [], spread = [] }) => [y, ...interval, ...spread]);
  const through = curves.filter(({ dash }) => dash !== 'dotted').flatMap((curve) => curve.points);
  const shown = [...seen, ...through.map(({ y }) => y)];
  const bounds = curves.filter(({ dash, points: [first] }) => dash === 'dotted' && first !== undefined);
  const lowest = bounds.map((curve) => Math.min(...curve.points.map(({ y }) => y)));
  const most = Math.max(BOUND_ROOM * Math.max(...shown), ...lowest);
  const drawn = bounds.flatMap((curve) => curve.points.map(({ y }) => Math.min(y, most)));
  const xs = [...points, ...curves.flatMap((curve) => curve.points)].map(({ x }) => x);
  const origin = isLinear ? [0] : [];
  return {
    x: [...origin, ...(xs.length > 0 ? xs : [1])],
    y: [...origin, ...(shown.length > 0 ? [...shown, ...drawn] : [1])],
  };
}

export function drawGrid(
  writer: Writer,
  plot: Plot,
  x: PlotAxis,
  y: PlotAxis,
  frame: PlotScene['frame'],
  text: number,
): Pick<PlotScene, 'columns' | 'rows'> {
  const size = 0.86 * text;
  const bottom = frame.y + frame.height;
  const columns = namedTicks(x, valuesOf(plot).x, size);
  for (const { label, value } of columns) {
    if (label !== '') writer.write(label, 'tick', x.at(value), bottom + 1.1 * text, size, 'middle');
  }
  for (const { label, value } of y.ticks) {
    if (label !== '') writer.write(label, 'tick', frame.x - 0.5 * text, y.at(value), size, 'end');
  }
  const middle = frame.x + frame.width / 2;
  writer.write(plot.xTitle, 'axis', middle, bottom + 2.7 * text, 0.88 * text, 'middle');
  return {
    columns: columns.map(({ label, value }) => ({ at: round(x.at(value)), isNamed: label !== '' })),
    rows: y.ticks.map(({ label, value }) => ({ at: round(y.at(value)), isNamed: label !== '' })),
  };
}

const round = (value: number): number => Math.round(value * 100) / 100;
