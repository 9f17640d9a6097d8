/** Marks and colours of the series of a plot: told apart by shape and filling alone, so that grey print loses nothing. */
import { PAPER, type Sheet } from './sheet.ts';
import { element, type Point, pathOf } from './svg.ts';

/** Dark enough for paper, apart in lightness too, and apart for eyes that do not tell red from green. */
const COLOURS = ['#1b4f8a', '#b5481a', '#3b7d3a', '#7b3f98', '#00808a', '#8a6d00', '#4a4a4a', '#b02a5b'];

/** Corners around the middle, in parts of the size. */
const SHAPES: readonly (readonly (readonly [number, number])[])[] = [
  [], // a circle
  [
    [-0.9, -0.9],
    [0.9, -0.9],
    [0.9, 0.9],
    [-0.9, 0.9],
  ],
  [
    [0, -1.2],
    [1.1, 0.8],
    [-1.1, 0.8],
  ],
  [
    [0, -1.3],
    [1.2, 0],
    [0, 1.3],
    [-1.2, 0],
  ],
  [
    [0, 1.2],
    [1.1, -0.8],
    [-1.1, -0.8],
  ],
];

export function seriesColour(index: number): string {
  return COLOURS[index % COLOURS.length];
}

/** Ten of them: five shapes, full and then hollow. */
export function drawMark(sheet: Sheet, index: number, { x, y }: Point, size: number): void {
  const colour = seriesColour(index);
  const isHollow = index % (2 * SHAPES.length) >= SHAPES.length;
  const style = { fill: isHollow ? PAPER : colour, stroke: colour, 'stroke-width': 1.4 };
  const corners = SHAPES[index % SHAPES.length];
  const shape =
    corners.length === 0
      ? element('circle', { cx: x, cy: y, r: size, ...style })
      : element('path', {
          d: pathOf(
            corners.map(([dx, dy]) => ({ x: x + size * dx, y: y + size * dy })),
            true,
          ),
          ...style,
        });
  sheet.shapes.push(shape);
}
