/** A grid: position r · columns + c in row r and column c. */
import type { Point } from '../../svg.ts';

export function gridPoints(rows: number, columns: number): Point[] {
  return Array.from({ length: rows * columns }, (_, at) => ({
    x: at % columns,
    y: Math.floor(at / columns),
  }));
}
