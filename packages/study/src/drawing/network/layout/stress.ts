/**
 * A layout of any graph in which distances on paper are near those in links (stress majorization). It is computed from
 * several fixed starts; the one with the fewest crossings, and with no node on a foreign link, is taken and turned so that
 * it is wider than high.
 */
import type { Topology } from '../../../kernel/network/topology.ts';
import { Random } from '../../../kernel/random.ts';
import type { Point } from '../../svg.ts';
import { distance, fromSegment, nearest, segmentsCross } from '../geometry.ts';

const STARTS = 8;
/** Up to this number of nodes all starts are tried; beyond, fewer, because each takes time with the square of the nodes. */
const MAX_THOROUGH = 60;
const ITERATIONS = 80;
const SEPARATIONS = 60;
/** In links: how far a node stays from a foreign link and from another node. */
const CLEAR = 0.42;
const APART = 0.8;

export function stressPoints(topology: Topology): Point[] {
  const distances = allDistances(topology);
  const edges = edgesOf(topology);
  let best: Point[] = [];
  let least = Number.POSITIVE_INFINITY;
  const starts = Math.ceil(STARTS * Math.min(1, (MAX_THOROUGH / topology.n) ** 2));
  for (let start = 0; start < starts; start++) {
    const points = separate(majorize(distances, initial(topology.n, start)), edges);
    const cost = costOf(points, edges);
    if (cost < least - 1e-9) [best, least] = [points, cost];
  }
  return turned(best);
}

/** A circle with random deviations. */
function initial(n: number, start: number): Point[] {
  const random = new Random(start, 'layout');
  const fraction = () => random.below(1000) / 1000 - 0.5;
  const wide = 0.4 + start;
  return Array.from({ length: n }, (_, at) => ({
    x: Math.sin((2 * Math.PI * at) / n) + wide * fraction(),
    y: -Math.cos((2 * Math.PI * at) / n) + wide * fraction(),
  }));
}

/** Each step moves every node to the weighted mean of where the others want it. */
function majorize(distances: readonly (readonly number[])[], start: readonly Point[]): Point[] {
  let points = [...start];
  const n = points.length;
  for (let step = 0; step < ITERATIONS; step++) {
    points = points.map((own, i) => {
      let [x, y, total] = [0, 0, 0];
      for (let j = 0; j < n; j++) {
        if (j === i) continue;
        const other = points[j];
        const wanted = distances[i][j];
        const weight = 1 / (wanted * wanted);
        const apart = distance(own, other) || 1e-6;
        x += weight * (other.x + (wanted * (own.x - other.x)) / apart);
        y += weight * (other.y + (wanted * (own.y - other.y)) / apart);
        total += weight;
      }
      return total === 0 ? own : { x: x / total, y: y / total };
    });
  }
  return points;
}

/** Moves nodes away from foreign links and from one another. */
function separate(start: readonly Point[], edges: readonly (readonly [number, number])[]): Point[] {
  const points = start.map((point) => ({ ...point }));
  const push = (at: number, from: Point, by: number): void => {
    const apart = distance(points[at], from);
    // Exactly on the line: any direction will do, the same each time.
    const [dx, dy] =
      apart < 1e-9 ? [1, 0] : [(points[at].x - from.x) / apart, (points[at].y - from.y) / apart];
    points[at].x += dx * by;
    points[at].y += dy * by;
  };
  for (let step = 0; step < SEPARATIONS; step++) {
    for (let at = 0; at < points.length; at++) {
      for (let other = 0; other < at; other++) {
        if (Math.abs(points[at].x - points[other].x) >= APART) continue;
        const lacking = APART - distance(points[at], points[other]);
        if (lacking <= 0) continue;
        const place = { ...points[other] };
        push(other, points[at], lacking / 4);
        push(at, place, lacking / 4);
      }
      for (const [a, b] of edges) {
        if (a === at || b === at || isFar(points[at], points[a], points[b])) continue;
        const foot = nearest(points[at], points[a], points[b]);
        const lacking = CLEAR - distance(points[at], foot);
        if (lacking > 0) push(at, foot, lacking / 3);
      }
    }
  }
  return points;
}

/** Whether a point is too far from the box around a segment to be within CLEAR of it. */
function isFar({ x, y }: Point, a: Point, b: Point): boolean {
  return (
    (x < a.x - CLEAR && x < b.x - CLEAR) ||
    (x > a.x + CLEAR && x > b.x + CLEAR) ||
    (y < a.y - CLEAR && y < b.y - CLEAR) ||
    (y > a.y + CLEAR && y > b.y + CLEAR)
  );
}

/** Crossings, and more for nodes near foreign links or one another. */
function costOf(points: readonly Point[], edges: readonly (readonly [number, number])[]): number {
  let cost = 0;
  edges.forEach(([a, b], k) => {
    for (let other = k + 1; other < edges.length; other++) {
      const [c, d] = edges[other];
      const share = a === c || a === d || b === c || b === d;
      if (!share && segmentsCross(points[a], points[b], points[c], points[d])) cost++;
    }
    points.forEach((point, at) => {
      if (at === a || at === b) return;
      const near = fromSegment(point, points[a], points[b]);
      if (near < 0.45) cost += 4 * (1 - near / 0.45) ** 2 + 1;
    });
  });
  points.forEach((point, at) => {
    for (let other = 0; other < at; other++) {
      const near = distance(point, points[other]);
      if (near < 0.7) cost += 6 * (1 - near / 0.7);
    }
  });
  return cost;
}

/** The longest axis becomes horizontal. */
function turned(points: readonly Point[]): Point[] {
  const mean = (of: (point: Point) => number) =>
    points.reduce((sum, each) => sum + of(each), 0) / points.length;
  const [mx, my] = [mean(({ x }) => x), mean(({ y }) => y)];
  const moved = points.map(({ x, y }) => ({ x: x - mx, y: y - my }));
  const [xx, yy, xy] = [
    moved.reduce((sum, { x }) => sum + x * x, 0),
    moved.reduce((sum, { y }) => sum + y * y, 0),
    moved.reduce((sum, { x, y }) => sum + x * y, 0),
  ];
  const angle = -Math.atan2(2 * xy, xx - yy) / 2;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return moved.map(({ x, y }) => ({ x: x * cos - y * sin, y: x * sin + y * cos }));
}

function edgesOf(topology: Topology): [number, number][] {
  const edges: [number, number][] = [];
  for (let a = 0; a < topology.n; a++) {
    for (let port = 0; port < topology.degree(a); port++) {
      const b = topology.neighbour(a, port);
      if (a < b) edges.push([a, b]);
    }
  }
  return edges;
}

/** In links, by breadth-first search. */
function allDistances(topology: Topology): number[][] {
  return Array.from({ length: topology.n }, (_, start) => {
    const found: number[] = new Array(topology.n).fill(topology.n);
    found[start] = 0;
    const queue = [start];
    for (const at of queue) {
      for (let port = 0; port < topology.degree(at); port++) {
        const next = topology.neighbour(at, port);
        if (found[next] < topology.n || next === start) continue;
        found[next] = found[at] + 1;
        queue.push(next);
      }
    }
    return found;
  });
}
