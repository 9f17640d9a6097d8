/** Nodes on an ellipse, position 0 on top, clockwise; their names outside. */

import { textColumns } from '@hustings/base';
import { CharacterCanvas } from './character-canvas.ts';
import type { NodeMark, PictureOptions } from './node-mark.ts';

/** A character is about twice as high as wide; a slightly wider ring looks better. */
const ASPECT = 2.7;
const MIN_RADIUS = 2;
const MAX_RADIUS = 16;
const INDENT = 2;
const QUARTER_STEPS = 400;
/** Distance between two dots of a row. */
const DOT_COLUMNS = 3;

interface Place {
  readonly x: number;
  readonly y: number;
  readonly nameX: number;
  readonly nameY: number;
}

/** The smallest ellipse without collisions; null if it is too wide. */
export function drawCircle(
  marks: readonly NodeMark[],
  centre: readonly string[],
  isLinked: boolean,
  { width, paint }: PictureOptions,
): string[] | null {
  const longest = Math.max(...marks.map(({ name }) => textColumns(name)));
  const wanted = Math.max(0, ...centre.map(textColumns));
  for (let radius = MIN_RADIUS; radius <= MAX_RADIUS; radius++) {
    const across = Math.round(radius * ASPECT);
    const canvasWidth = 2 * (across + longest + 2 + INDENT) + 1;
    if (canvasWidth > width) return null;
    const canvas = new CharacterCanvas(canvasWidth, 2 * radius + 5);
    const middle = { x: (canvasWidth - 1) / 2, y: radius + 2 };
    const places = marks.map((mark, at) => placeOf(at, marks.length, mark, middle, across, radius));
    const hasRoom = 2 * across - 6 >= wanted && radius > centre.length;
    if (!hasRoom || !placeAll(canvas, marks, places)) continue;
    if (isLinked) drawDots(canvas, middle, across, radius);
    centre.forEach((text, line) => {
      const x = middle.x - Math.floor(textColumns(text) / 2);
      canvas.write(x, middle.y + line - Math.floor((centre.length - 1) / 2), text, 'faint');
    });
    return canvas.lines(paint);
  }
  return null;
}

function placeOf(
  at: number,
  n: number,
  { name }: NodeMark,
  middle: { readonly x: number; readonly y: number },
  across: number,
  radius: number,
): Place {
  const angle = (2 * Math.PI * at) / n;
  const x = middle.x + roundEvenly(across * Math.sin(angle));
  const y = middle.y - roundEvenly(radius * Math.cos(angle));
  const length = textColumns(name);
  if (Math.abs(Math.sin(angle)) < 1e-9) {
    const nameX = x - Math.floor((length - 1) / 2);
    return { x, y, nameX, nameY: Math.cos(angle) > 0 ? y - 1 : y + 1 };
  }
  return { x, y, nameX: Math.sin(angle) > 0 ? x + 2 : x - 1 - length, nameY: y };
}

/** False if two labels touch. */
function placeAll(canvas: CharacterCanvas, marks: readonly NodeMark[], places: readonly Place[]): boolean {
  for (const [at, { x, y, nameX, nameY }] of places.entries()) {
    const { symbol, name, tone } = marks[at];
    const length = textColumns(name);
    for (let column = nameX - 2; column < nameX + length + 2; column++) {
      if (!canvas.isFree(column, nameY)) return false;
    }
    for (let column = x - 2; column <= x + 2; column++) if (!canvas.isFree(column, y)) return false;
    canvas.write(x, y, symbol, tone);
    canvas.write(nameX, nameY, name, tone);
  }
  return true;
}

/** Dots at even distances in one quarter, mirrored into the others; none beside a node. */
function drawDots(
  canvas: CharacterCanvas,
  middle: { readonly x: number; readonly y: number },
  across: number,
  radius: number,
): void {
  const taken = (x: number, y: number) => [-1, 0, 1].some((step) => !canvas.isFree(x + step, y));
  const free: [number, number][] = [];
  let last = { x: 0, y: radius };
  for (let step = 0; step <= QUARTER_STEPS; step++) {
    const angle = (Math.PI / 2) * (step / QUARTER_STEPS);
    const x = Math.round(across * Math.sin(angle));
    const y = Math.round(radius * Math.cos(angle));
    const isFar = x - last.x >= DOT_COLUMNS || y !== last.y;
    if (step > 0 && !isFar) continue;
    last = { x, y };
    for (const column of [middle.x + x, middle.x - x]) {
      for (const row of [middle.y + y, middle.y - y]) if (!taken(column, row)) free.push([column, row]);
    }
  }
  // Only after all are known: dots do not keep other dots away.
  for (const [x, y] of free) canvas.write(x, y, '·', 'faint');
}

/** Rounds halves away from 0, with a tolerance, so that both sides are mirror images. */
function roundEvenly(value: number): number {
  return Math.sign(value) * Math.round(Math.abs(value) + 1e-9);
}
