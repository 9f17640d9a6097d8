/** Points, polylines and distances in the plane. */
import type { Point } from '../svg.ts';
import type { Box } from '../text-box.ts';

/** A line from point to point. */
export type Polyline = readonly Point[];

export function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** The point at this share of the way from a to b. */
export function between(a: Point, b: Point, share: number): Point {
  return { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share };
}

/** The point of a segment that is nearest to a point. */
export function nearest(point: Point, a: Point, b: Point): Point {
  const length = (b.x - a.x) ** 2 + (b.y - a.y) ** 2;
  const share = length === 0 ? 0 : ((point.x - a.x) * (b.x - a.x) + (point.y - a.y) * (b.y - a.y)) / length;
  return between(a, b, Math.max(0, Math.min(1, share)));
}

/** The distance of a point from a segment. */
export function fromSegment(point: Point, a: Point, b: Point): number {
  return distance(point, nearest(point, a, b));
}

/** The distance of a point from a polyline. */
export function fromPolyline(point: Point, line: Polyline): number {
  let least = Number.POSITIVE_INFINITY;
  for (let k = 1; k < line.length; k++) least = Math.min(least, fromSegment(point, line[k - 1], line[k]));
  return least;
}

export function lengthOf(line: Polyline): number {
  let length = 0;
  for (let k = 1; k < line.length; k++) length += distance(line[k - 1], line[k]);
  return length;
}

/** The point at this distance from the start, and the direction of the line there, in radians. */
export function alongPolyline(line: Polyline, from: number): { readonly at: Point; readonly angle: number } {
  let left = Math.max(0, from);
  for (let k = 1; k < line.length; k++) {
    const [a, b] = [line[k - 1], line[k]];
    const step = distance(a, b);
    if (left <= step || k === line.length - 1) {
      const at = between(a, b, step === 0 ? 0 : Math.min(1, left / step));
      return { at, angle: Math.atan2(b.y - a.y, b.x - a.x) };
    }
    left -= step;
  }
  return { at: line[0], angle: 0 };
}

/** The polyline without its first `head` and last `tail` pixels. */
export function trimmed(line: Polyline, head: number, tail: number): Polyline {
  const length = lengthOf(line);
  if (head + tail >= length) return [];
  const inner: Point[] = [];
  let passed = 0;
  for (let k = 1; k < line.length - 1; k++) {
    passed += distance(line[k - 1], line[k]);
    if (passed > head && passed < length - tail) inner.push(line[k]);
  }
  return [alongPolyline(line, head).at, ...inner, alongPolyline(line, length - tail).at];
}

/** True if the segments have an inner point in common. */
export function segmentsCross(a: Point, b: Point, c: Point, d: Point): boolean {
  const side = (p: Point, q: Point, r: Point) => (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

/** True if the segment runs through the box. */
export function segmentInBox(a: Point, b: Point, { x, y, width, height }: Box): boolean {
  const inside = (p: Point) => p.x > x && p.x < x + width && p.y > y && p.y < y + height;
  if (inside(a) || inside(b)) return true;
  const corners = [
    { x, y },
    { x: x + width, y },
    { x: x + width, y: y + height },
    { x, y: y + height },
  ];
  return corners.some((corner, k) => segmentsCross(a, b, corner, corners[(k + 1) % 4]));
}

/** True if the polyline runs through the box. */
export function polylineInBox(line: Polyline, box: Box): boolean {
  return line.some((point, k) => k > 0 && segmentInBox(line[k - 1], point, box));
}

/** True if the box comes nearer to the point than the radius. */
export function boxNearPoint(box: Box, point: Point, radius: number): boolean {
  const x = Math.max(box.x, Math.min(point.x, box.x + box.width));
  const y = Math.max(box.y, Math.min(point.y, box.y + box.height));
  return distance({ x, y }, point) < radius;
}

/** An arc from one angle to another around a centre, as a polyline. Angles run clockwise from the top. */
export function arc(centre: Point, radius: number, from: number, to: number): Point[] {
  const steps = Math.max(2, Math.ceil((Math.abs(to - from) / Math.PI) * 32));
  return Array.from({ length: steps + 1 }, (_, k) =>
    onCircle(centre, radius, from + ((to - from) * k) / steps),
  );
}

/** A point of a circle; the angle runs clockwise from the top. */
export function onCircle({ x, y }: Point, radius: number, angle: number): Point {
  return { x: x + radius * Math.sin(angle), y: y - radius * Math.cos(angle) };
}

/** A curve from a to b whose middle is `bulge` to the left of the straight line. */
export function bow(a: Point, b: Point, bulge: number): Point[] {
  const length = distance(a, b) || 1;
  const [nx, ny] = [(b.y - a.y) / length, -(b.x - a.x) / length];
  return Array.from({ length: 17 }, (_, k) => {
    const share = k / 16;
    const off = 4 * bulge * share * (1 - share);
    const point = between(a, b, share);
    return { x: point.x + nx * off, y: point.y + ny * off };
  });
}
