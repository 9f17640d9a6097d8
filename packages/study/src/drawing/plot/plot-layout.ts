/**
 * The layout of a plot: frame, axes, curves and labels.
 *
 * Guarantees: every point and every curve through points is inside the frame. A bound is cut where it leaves the frame, and
 * its lowest point is visible. Every series and every curve has a label that starts with its mark, no two texts overlap, and
 * none is cut off. If the labels are too many for the sheet, everything becomes smaller. An axis with values of 0 or below is
 * linear.
 */
import type { SheetSize } from '../style.ts';
import type { Point } from '../svg.ts';
import { textWidth } from '../text-box.ts';
import { spreadColumn, stackTop } from './label-column.ts';
import type { Plot, PlotCurve } from './plot.ts';
import { axisFor } from './plot-axis.ts';
import { type Content, drawContent, tracesOf } from './plot-content.ts';
import { drawGrid, notesOf, valuesOf, Writer, widestTick, writeHead } from './plot-frame.ts';
import {
  curveLabel,
  type DrawnLabel,
  drawLabel,
  LINE_HEIGHT,
  markRadius,
  ownerOf,
  type PlotLabel,
  seriesLabel,
  wrapText,
} from './plot-label.ts';
import type { PlotLine, PlotScene } from './plot-scene.ts';

/** The widest column of labels, as a part of the sheet. */
const MAX_COLUMN = 0.34;
const MIN_COLUMN = 0.14;
/** Narrower sheets have their labels below the plot; in multiples of the base size. */
const NARROW = 45;
/** The share of a narrow sheet's width that is the height of its frame. */
const NARROW_FRAME = 0.82;

/** Whether the labels stand below the plot, which is then as high as they need. */
export function isNarrow({ text, width }: Pick<SheetSize, 'text' | 'width'>): boolean {
  return width < NARROW * text;
}

export function layoutPlot(plot: Plot, sheet: SheetSize): PlotScene {
  if (isNarrow(sheet)) return layoutNarrow(plot, sheet);
  for (let factor = 1; ; factor *= 1.12) {
    const scene = layoutWide(plot, {
      ...sheet,
      width: sheet.width * factor,
      height: sheet.height * factor,
    });
    if (scene !== null) return scene;
  }
}

/** Null if the labels do not fit. */
function layoutWide(plot: Plot, { height, text, width }: SheetSize): PlotScene | null {
  const edge = 1.6 * text;
  const writer = new Writer();
  const y0 = writeHead(writer, plot, edge, width - 2 * edge, text);
  const values = valuesOf(plot);
  const left = edge + widestTick(axisFor(values.y, 100, 0), text) + 0.6 * text;
  const most = MAX_COLUMN * width;
  const widest = Math.max(
    MIN_COLUMN * width,
    ...plot.series.map((_, index) => seriesLabel(plot, index, most, text).width),
    ...plot.curves.map((curve) => curveLabel(plot, curve, most, text).width),
  );
  // A pixel more: a label that is exactly as wide as the column must not wrap because of rounding.
  const column = widest + 1;
  const gap = 1.1 * text;
  const right = width - edge - column - gap;
  const x = axisFor(values.x, left, right);
  const notes = wrapText(notesOf(plot), width - 2 * edge, (line) => textWidth(line, 0.8 * text));
  const bottom = height - edge - notes.length * 0.8 * text * LINE_HEIGHT - 3.6 * text;

  // Where a curve leaves the frame does not depend on the height of the frame, because margins are parts of it.
  const trial = axisFor(values.y, 1000, 0);
  const leaving = plot.curves.flatMap((curve) => {
    const end = tracesOf(curve, x, trial, 0, text).at(-1)?.at(-1);
    return end !== undefined && end.y <= 0 ? [{ curve, at: end.x }] : [];
  });
  const tops = leaving.map(({ curve, at }) => ({
    at,
    label: curveLabel(plot, curve, width - edge - at - 0.4 * text, text),
  }));
  const lifts = stackTop(
    tops.map(({ at, label }) => ({ at, width: label.width + 0.4 * text, height: label.height })),
    text,
  );
  const rise = Math.max(0, ...tops.map(({ label }, index) => lifts[index] + label.height));
  const top = y0 + 2.9 * text + rise;
  if (bottom - top < 9 * text) return null;
  const frame = { x: left, y: top, width: right - left, height: bottom - top };
  const y = axisFor(values.y, bottom, top);
  const drawn = drawContent(plot, x, y, top, text);

  writer.write(plot.yTitle, 'axis', edge, y0 + 1.5 * text, 0.88 * text, 'start');
  const grid = drawGrid(writer, plot, x, y, frame, text);
  notes.forEach((line, index) => {
    const at = height - edge - (notes.length - index - 0.5) * 0.8 * text * LINE_HEIGHT;
    writer.write(line, 'note', edge, at, 0.8 * text, 'start');
  });

  const labels: DrawnLabel[] = [];
  const leaders: PlotLine[] = [];
  tops.forEach(({ at, label }, index) => {
    const upper = top - lifts[index] - label.height - 0.2 * text;
    labels.push(drawLabel(label, { x: at + 0.4 * text, y: upper }, text));
    const points = [
      { x: at, y: top },
      { x: at, y: upper + 0.3 * text },
    ];
    leaders.push({ type: 'leader', series: label.series, points });
  });
  const groups = endGroups(plot, drawn.ends, new Set(leaving.map(({ curve }) => curve)), column, text);
  const total = groups.reduce((sum, group) => sum + group.height, 0);
  const until = height - edge;
  if (total > until - top) return null;
  const places = spreadColumn(
    groups.map(({ at, height: tall, labels: [first] }) => ({
      // The first line of the group stands at the end of its curve.
      at: at.y + tall / 2 - (first.size * LINE_HEIGHT) / 2,
      height: tall,
    })),
    top - 0.5 * text,
    until,
  );
  groups.forEach((group, index) => {
    let upper = places[index];
    const [first] = group.labels;
    const middle = upper + (first.size * LINE_HEIGHT) / 2;
    const from = { x: group.at.x + markRadius(text) * 1.6, y: group.at.y };
    const to = { x: right + gap - 0.2 * text, y: middle };
    if (Math.abs(middle - from.y) > 0.35 * text || from.x < right - 0.12 * frame.width) {
      leaders.push({ type: 'leader', series: first.series, points: [from, to] });
    }
    for (const label of group.labels) {
      labels.push(drawLabel(label, { x: right + gap, y: upper }, text));
      upper += label.height;
    }
  });
  return assemble({ width, height, text, frame, ...grid }, drawn, labels, leaders, writer);
}

/** Labels below the plot; the sheet is as high as they need. */
function layoutNarrow(plot: Plot, { text, width }: SheetSize): PlotScene {
  const edge = 0.4 * text;
  const writer = new Writer();
  const y0 = writeHead(writer, plot, edge, width - 2 * edge, text, 1.2);
  const values = valuesOf(plot);
  const left = edge + widestTick(axisFor(values.y, 100, 0), text) + 0.6 * text;
  const frame = { x: left, y: y0 + 2.4 * text, width: width - edge - left, height: NARROW_FRAME * width };
  const x = axisFor(values.x, left, left + frame.width);
  const y = axisFor(values.y, frame.y + frame.height, frame.y);
  const drawn = drawContent(plot, x, y, frame.y, text);
  writer.write(plot.yTitle, 'axis', edge, y0 + 1.3 * text, 0.88 * text, 'start');
  const grid = drawGrid(writer, plot, x, y, frame, text);
  let upper = frame.y + frame.height + 4 * text;
  const labels: DrawnLabel[] = [];
  const most = width - 2 * edge;
  for (const label of [
    ...plot.series.flatMap((_, index) => [
      seriesLabel(plot, index, most, text),
      ...plot.curves
        .filter((curve) => ownerOf(curve) === index)
        .map((curve) => curveLabel(plot, curve, most, text)),
    ]),
    ...plot.curves
      .filter((curve) => ownerOf(curve) === null)
      .map((curve) => curveLabel(plot, curve, most, text)),
  ]) {
    labels.push(drawLabel(label, { x: edge, y: upper }, text));
    upper += label.height + 0.15 * text;
  }
  upper += 0.5 * text;
  for (const line of wrapText(notesOf(plot), most, (each) => textWidth(each, 0.86 * text))) {
    writer.write(line, 'note', edge, upper + 0.55 * text, 0.86 * text, 'start');
    upper += 0.86 * text * LINE_HEIGHT;
  }
  const scene = { width, height: upper + edge, text, frame, ...grid };
  return assemble(scene, drawn, labels, [], writer);
}

interface Group {
  readonly labels: readonly PlotLabel[];
  readonly at: Point;
  readonly height: number;
}

/** A law that ends where its series ends is named below it; every other curve has a label of its own. */
function endGroups(
  plot: Plot,
  ends: Content['ends'],
  leaving: ReadonlySet<PlotCurve>,
  column: number,
  text: number,
): Group[] {
  const rest = new Set(plot.curves.filter((curve) => !leaving.has(curve)));
  const group = (at: Point, labels: readonly PlotLabel[]): Group => ({
    labels,
    at,
    height: labels.reduce((sum, label) => sum + label.height, 0.3 * text),
  });
  const groups = plot.series.flatMap((series, index) => {
    const end = ends.get(series);
    if (end === undefined) return [];
    const near = [...rest].filter((curve) => {
      const own = ends.get(curve);
      return (
        ownerOf(curve) === index && own !== undefined && Math.hypot(own.x - end.x, own.y - end.y) < 1.3 * text
      );
    });
    for (const curve of near) rest.delete(curve);
    const labels = [
      seriesLabel(plot, index, column, text),
      ...near.map((curve) => curveLabel(plot, curve, column, text)),
    ];
    return [group(end, labels)];
  });
  const others = [...rest].flatMap((curve) => {
    const end = ends.get(curve);
    return end === undefined ? [] : [group(end, [curveLabel(plot, curve, column, text)])];
  });
  return [...groups, ...others];
}

function assemble(
  scene: Pick<PlotScene, 'width' | 'height' | 'text' | 'frame' | 'columns' | 'rows'>,
  { bands, bars, lines, marks }: Content,
  labels: readonly DrawnLabel[],
  leaders: readonly PlotLine[],
  { texts }: Writer,
): PlotScene {
  return {
    ...scene,
    bands,
    bars,
    lines: [...leaders, ...lines, ...labels.flatMap((label) => label.lines)],
    marks: [...marks, ...labels.flatMap((label) => label.marks)],
    texts: [...texts, ...labels.flatMap((label) => label.texts)],
  };
}
