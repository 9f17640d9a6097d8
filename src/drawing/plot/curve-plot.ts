/**
 * A plot of measured points with confidence bands and of laws as curves, on logarithmic axes, readable in grey print.
 *
 * Guarantees: every point and every curve through points is inside the frame. A bound above the points is clipped at three
 * times the highest point. Series differ in the shape of their marks and kinds of curves in their dashes; colour is
 * redundant. An axis with values of 0 or below is linear.
 */
import { drawTitle, GREY, INK, PALE, PAPER, Sheet } from '../sheet.ts';
import { element, type Point, pathOf } from '../svg.ts';
import { overlap, textBox } from '../text-box.ts';
import type { Plot, PlotCurve, PlotPoint } from './plot.ts';
import { axisFor, namedTicks, type PlotAxis, type PlotTick } from './plot-axis.ts';
import { drawPlotLegend } from './plot-legend.ts';
import { curveStyle, drawMark, seriesColour } from './plot-mark.ts';

const LEFT = 84;
const TOP = 104;
const WIDTH = 600;
const HEIGHT = 430;
const EDGE = 22;
/** How far above the highest point a bound is drawn, as a factor. */
const BOUND_ROOM = 3;
const FRAME = { x: LEFT, y: TOP, width: WIDTH, height: HEIGHT };

/** One SVG document. */
export function curvePlot(plot: Plot): string {
  return drawCurvePlot(plot).svg;
}

/** The sheet, for tests of the placement of texts. */
export function drawCurvePlot(plot: Plot): { readonly svg: string; readonly sheet: Sheet } {
  const sheet = new Sheet();
  const points = plot.series.flatMap((each) => each.points);
  const sizes = points.map((point) => point.x);
  const x = axisFor(sizes.length > 0 ? sizes : [1], LEFT, LEFT + WIDTH);
  const y = axisFor(heightsOf(plot, points), TOP + HEIGHT, TOP);
  drawTitle(sheet, plot.title, plot.subtitle, EDGE);
  drawFrame(sheet, plot, x, y, namedTicks(x, sizes, 44));
  const at = (point: { x: number; y: number }): Point => ({ x: x.at(point.x), y: y.at(point.y) });
  for (const [index, series] of plot.series.entries()) drawBand(sheet, series.points, index, x, y);
  const clip = element('clipPath', { id: 'frame' }, element('rect', FRAME));
  sheet.shapes.push(element('defs', {}, clip));
  for (const curve of plot.curves) {
    drawCurve(sheet, curve, curve.points.map(at));
    if (curve.dash === 'dotted') nameBound(sheet, curve, curve.points.map(at));
  }
  plot.series.forEach((series, index) => {
    if (!plot.curves.some((curve) => curve.series === index && curve.dash !== 'dotted')) {
      const line = { fill: 'none', stroke: seriesColour(index), 'stroke-width': 0.8, opacity: 0.6 };
      sheet.shapes.push(element('path', { d: pathOf(series.points.map(at), false), ...line }));
    }
    for (const point of series.points) {
      drawSpread(sheet, point, index, x, y);
      drawMark(sheet, index, at(point));
    }
  });
  const legend = drawPlotLegend(sheet, plot, LEFT + WIDTH + 26, TOP + 8);
  const right = Math.max(legend.right, ...sheet.texts.map(({ box }) => box.x + box.width));
  const height = Math.max(TOP + HEIGHT + 62, legend.bottom + EDGE);
  return { sheet, svg: sheet.render(right + EDGE, height, plot.title) };
}

/** The values on the vertical axis. */
function heightsOf({ curves }: Plot, points: readonly PlotPoint[]): number[] {
  const seen = points.flatMap(({ y, band = [], spread = [] }) => [y, ...band, ...spread]);
  const curved = (isBound: boolean): number[] =>
    curves
      .filter(({ dash }) => (dash === 'dotted') === isBound)
      .flatMap((curve) => curve.points.map(({ y }) => y));
  const shown = [...seen, ...curved(false)];
  if (shown.length === 0) return [1];
  const most = BOUND_ROOM * Math.max(...shown);
  return [...shown, ...curved(true).map((y) => Math.min(y, most))];
}

function drawFrame(sheet: Sheet, plot: Plot, x: PlotAxis, y: PlotAxis, xTicks: readonly PlotTick[]): void {
  const line = (d: string, isNamed: boolean): void => {
    sheet.shapes.push(element('path', { d, stroke: PALE, 'stroke-width': isNamed ? 0.8 : 0.35 }));
  };
  for (const { value, label } of y.ticks) {
    line(`M${LEFT} ${round(y.at(value))}h${WIDTH}`, label !== '');
    if (label !== '') sheet.write({ text: label, size: 11.5, x: LEFT - 8, y: y.at(value), anchor: 'end' });
  }
  for (const { value, label } of xTicks) {
    line(`M${round(x.at(value))} ${TOP}v${HEIGHT}`, label !== '');
    if (label === '') continue;
    sheet.write({ text: label, size: 11.5, x: x.at(value), y: TOP + HEIGHT + 15, anchor: 'middle' });
  }
  sheet.shapes.push(element('rect', { ...FRAME, fill: 'none', stroke: INK, 'stroke-width': 1 }));
  const middle = LEFT + WIDTH / 2;
  sheet.write({ text: plot.xTitle, size: 12.5, x: middle, y: TOP + HEIGHT + 38, anchor: 'middle' });
  sheet.write({ text: plot.yTitle, size: 12.5, x: EDGE, y: TOP - 20, anchor: 'start' });
}

function drawBand(sheet: Sheet, points: readonly PlotPoint[], index: number, x: PlotAxis, y: PlotAxis): void {
  const banded = points.flatMap(({ x: value, band }) => (band === undefined ? [] : [{ value, band }]));
  const side = (end: 0 | 1): Point[] =>
    banded.map(({ value, band }) => ({ x: x.at(value), y: y.at(band[end]) }));
  if (banded.length < 2) return;
  const d = pathOf([...side(0), ...side(1).reverse()], true);
  sheet.shapes.push(element('path', { d, fill: seriesColour(index), opacity: 0.25 }));
}

/** The spread of the runs, and the band as a short bar, which stays visible if the band is narrower than a mark. */
function drawSpread(sheet: Sheet, point: PlotPoint, index: number, x: PlotAxis, y: PlotAxis): void {
  const style = { stroke: seriesColour(index), fill: 'none' };
  const middle = round(x.at(point.x));
  const upright = ([low, high]: readonly [number, number]): string =>
    `M${middle} ${round(y.at(low))}V${round(y.at(high))}`;
  if (point.spread !== undefined) {
    sheet.shapes.push(element('path', { d: upright(point.spread), ...style, 'stroke-width': 0.9 }));
  }
  if (point.band !== undefined) {
    sheet.shapes.push(element('path', { d: upright(point.band), ...style, 'stroke-width': 3, opacity: 0.5 }));
  }
}

/** A bound lies apart from the marks of its series, so its name is at its end or where it leaves the frame. */
function nameBound(sheet: Sheet, { name }: PlotCurve, points: readonly Point[]): void {
  const last = points.findLast(({ y }) => y > TOP + 16);
  if (last === undefined) return;
  const style = { text: name, size: 10.5, fill: GREY, halo: PAPER };
  const places = [
    { ...style, x: last.x - 8, y: last.y - 9, anchor: 'end' },
    { ...style, x: last.x + 8, y: last.y + 9, anchor: 'start' },
  ] as const;
  const isFree = ({ text, size, x, y, anchor }: (typeof places)[number]): boolean => {
    const box = textBox(text, size, x, y, anchor);
    const isInside = box.x >= LEFT && box.x + box.width <= LEFT + WIDTH;
    return isInside && !sheet.texts.some((other) => overlap(box, other.box));
  };
  const free = places.find(isFree);
  if (free !== undefined) sheet.write(free);
}

function drawCurve(sheet: Sheet, { dash, series }: PlotCurve, points: readonly Point[]): void {
  const [first] = points;
  // A curve through a single size would be invisible.
  const d = points.length > 1 ? pathOf(points, false) : `M${round(first.x - 16)} ${round(first.y)}h32`;
  sheet.shapes.push(
    element('path', { d, fill: 'none', 'clip-path': 'url(#frame)', ...curveStyle(dash, series) }),
  );
}

const round = (value: number): number => Math.round(value * 100) / 100;
