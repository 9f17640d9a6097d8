/**
 * Marks and colours of series. The shape comes first: four series have colours too, all others are grey shapes, so grey
 * print and colour-blind readers lose nothing.
 */
import type { Palette } from '../style.ts';
import { crossAround, element, pathAround } from '../svg.ts';
import type { PlotMark } from './plot-scene.ts';

/** Corners relative to the centre, in units of the radius: x and y in turn; none for a circle. */
const CIRCLE: readonly number[] = [];
const SQUARE = [-0.9, -0.9, 0.9, -0.9, 0.9, 0.9, -0.9, 0.9];
const UP = [0, -1.2, 1.1, 0.8, -1.1, 0.8];
const DOWN = [0, 1.2, 1.1, -0.8, -1.1, -0.8];
const DIAMOND = [0, -1.3, 1.2, 0, 0, 1.3, -1.2, 0];

interface Sign {
  readonly corners: readonly number[] | 'cross';
  readonly isHollow: boolean;
}

const filled = (corners: Sign['corners']): Sign => ({ corners, isHollow: false });
const hollow = (corners: Sign['corners']): Sign => ({ corners, isHollow: true });

const SIGNS: readonly Sign[] = [
  filled(CIRCLE),
  filled(SQUARE),
  filled(UP),
  hollow(DIAMOND),
  filled(DOWN),
  hollow(CIRCLE),
  hollow(SQUARE),
  hollow(UP),
  filled(DIAMOND),
  hollow(DOWN),
  filled('cross'),
];

/** Grey if the series is null. */
export function seriesColour(series: number | null, palette: Palette): string {
  const { blue, green, ink3, purple, rust } = palette;
  return series === null ? ink3 : ([blue, purple, green, rust][series] ?? ink3);
}

export function markShape({ at, radius, series }: PlotMark, palette: Palette): string {
  const colour = seriesColour(series, palette);
  const { corners, isHollow } = SIGNS[series % SIGNS.length];
  const line = { stroke: colour, 'stroke-width': radius * 0.36 };
  if (corners === 'cross') return element('path', { d: crossAround(at, radius), fill: 'none', ...line });
  const style = { fill: isHollow ? palette.paper : colour, ...line };
  return corners.length === 0
    ? element('circle', { cx: at.x, cy: at.y, r: radius, ...style })
    : element('path', { d: pathAround(at, radius, corners), ...style });
}
