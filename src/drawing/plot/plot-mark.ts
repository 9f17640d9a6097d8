/**
 * Marks, lines and colours of a plot. Series differ in shape and filling and kinds of curves in their dashes, so grey
 * print loses nothing.
 */
import { GREY, PAPER, type Sheet } from '../sheet.ts';
import { element, type Point, pathAround } from '../svg.ts';
import type { PlotCurve } from './plot.ts';

/** Dark enough for paper, different in lightness, and distinguishable for colour-blind readers. */
const COLOURS = ['#1b4f8a', '#b5481a', '#3b7d3a', '#7b3f98', '#00808a', '#8a6d00', '#4a4a4a', '#b02a5b'];

/** Corners relative to the centre, in units of the size: x and y in turn. */
const SHAPES: readonly (readonly number[])[] = [
  [], // a circle
  [-0.9, -0.9, 0.9, -0.9, 0.9, 0.9, -0.9, 0.9],
  [0, -1.2, 1.1, 0.8, -1.1, 0.8],
  [0, -1.3, 1.2, 0, 0, 1.3, -1.2, 0],
  [0, 1.2, 1.1, -0.8, -1.1, -0.8],
];

/** Size of a mark in pixels. */
const SIZE = 3.8;
const DASHES = { solid: undefined, dashed: '8 4', dotted: '1.6 3.6' } as const;

export function seriesColour(index: number): string {
  return COLOURS[index % COLOURS.length];
}

/** Ten marks: five shapes, filled and then hollow. */
export function drawMark(sheet: Sheet, index: number, { x, y }: Point): void {
  const colour = seriesColour(index);
  const isHollow = index % (2 * SHAPES.length) >= SHAPES.length;
  const style = { fill: isHollow ? PAPER : colour, stroke: colour, 'stroke-width': 1.4 };
  const corners = SHAPES[index % SHAPES.length];
  const shape =
    corners.length === 0
      ? element('circle', { cx: x, cy: y, r: SIZE, ...style })
      : element('path', { d: pathAround({ x, y }, SIZE, corners), ...style });
  sheet.shapes.push(shape);
}

export function curveStyle(dash: PlotCurve['dash'], series: number | null): Record<string, string | number> {
  const dashes = DASHES[dash];
  return {
    stroke: series === null ? GREY : seriesColour(series),
    'stroke-width': 1.3,
    ...(dashes !== undefined && { 'stroke-dasharray': dashes }),
  };
}
