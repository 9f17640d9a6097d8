/** The pill around the value of a message: its size and its edge. */
import type { Point } from '../svg.ts';
import { type Box, textWidth } from '../text-box.ts';

/** In units of the font size. */
const HEIGHT = 1.45;

/** The pill around a label whose centre is at a point. */
export function pillAround(label: string, size: number, { x, y }: Point): Box {
  const height = HEIGHT * size;
  const width = Math.max(height, textWidth(label, size) + 0.8 * size);
  return { x: x - width / 2, y: y - height / 2, width, height };
}

/** The font size of the label in a pill. */
export function labelSize({ height }: Box): number {
  return height / HEIGHT;
}

/** The point on the edge of a pill in a direction, or beyond it. */
export function edgeOf({ x, y, width, height }: Box, angle: number, beyond = 0): Point {
  const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
  const across = Math.abs(dx) < 1e-9 ? Number.POSITIVE_INFINITY : width / 2 / Math.abs(dx);
  const down = Math.abs(dy) < 1e-9 ? Number.POSITIVE_INFINITY : height / 2 / Math.abs(dy);
  const reach = Math.min(across, down) + beyond;
  return { x: x + width / 2 + reach * dx, y: y + height / 2 + reach * dy };
}
