/**
 * Where the nodes of a network are drawn, in units of its own, and along which lines its messages travel. A ring is a
 * circle, rings inside it are circles inside, a complete network is a circle, a tree is layered, a grid is a grid; other
 * graphs are laid out by their distances. The same network always gets the same layout.
 */
import type { Topology } from '../../../kernel/network/topology.ts';
import { isTree } from '../../../kernel/network/topology-measures.ts';
import type { Point } from '../../svg.ts';
import { arc, bow, onCircle, type Polyline } from '../geometry.ts';
import { nestedLayout, nestedRingsOf } from './nested-rings.ts';
import type { LayoutLink, NetworkLayout } from './network-layout.ts';
import { stressPoints } from './stress.ts';
import { treePoints } from './tree.ts';

const TREE_STRETCH = 3;
const GRAPH_STRETCH = 1.6;

/** Places the nodes of a network. */
export function layoutNetwork(topology: Topology): NetworkLayout {
  if (topology.kind === 'ring' || topology.kind === 'ring map') return ringLayout(topology);
  const nested = nestedRingsOf(topology);
  if (nested !== null) return nestedLayout(topology, nested);
  if (topology.name === 'ring' && topology.n > 2) return straightLayout(topology, circle(topology.n), 1);
  if (topology.kind === 'complete') return straightLayout(topology, circle(topology.n), 1);
  const grid = /^(grid|torus):(\d+)x(\d+)$/.exec(topology.name);
  if (grid !== null) return gridLayout(topology, Number(grid[2]), Number(grid[3]));
  if (topology.name === 'star' && topology.n > 4) {
    return straightLayout(topology, [{ x: 0, y: 0 }, ...circle(topology.n - 1)], 1);
  }
  if (isTree(topology)) return straightLayout(topology, treePoints(topology), TREE_STRETCH);
  return straightLayout(topology, stressPoints(topology), GRAPH_STRETCH);
}

const CENTRE = { x: 0, y: 0 };

/** Position 0 on top, clockwise. */
export function circle(n: number, radius = 1): Point[] {
  if (n === 1) return [CENTRE];
  return Array.from({ length: n }, (_, at) => onCircle(CENTRE, radius, (2 * Math.PI * at) / n));
}

function ringLayout(topology: Topology): NetworkLayout {
  const { n } = topology;
  const points = n === 1 ? [{ x: 0, y: -1 }] : circle(n);
  const angleOf = (at: number) => (2 * Math.PI * at) / n;
  const ahead = (at: number, steps: number): Polyline => arc(CENTRE, 1, angleOf(at), angleOf(at + steps));
  const links = points.map((_, at) => ({ a: at, b: (at + 1) % n, line: ahead(at, 1) }));
  return {
    points,
    links,
    stretch: 1,
    junctions: [],
    route(from, port) {
      if (topology.kind === 'ring') return ahead(from, port === 1 ? 1 : -1);
      if (port === 1) return ahead(from, 1);
      if (port === n || port === 0) return ahead(from, 1).slice(0, 1);
      return [points[from], points[(from + port) % n]];
    },
  };
}

/** Links between places in order of position: every link once, several between two nodes bent apart. */
function straightLayout(topology: Topology, points: readonly Point[], stretch: number): NetworkLayout {
  return layoutOf(topology, points, stretch, (a, b) => [points[a], points[b]]);
}

function gridLayout(topology: Topology, rows: number, columns: number): NetworkLayout {
  const points = gridPoints(rows, columns);
  return layoutOf(topology, points, GRAPH_STRETCH, (a, b) => {
    const [dx, dy] = [points[b].x - points[a].x, points[b].y - points[a].y];
    // A link around a torus runs beside its row or column.
    return Math.hypot(dx, dy) < 1.5
      ? [points[a], points[b]]
      : bow(points[a], points[b], dx === 0 ? -0.36 : 0.36);
  });
}

function layoutOf(
  topology: Topology,
  points: readonly Point[],
  stretch: number,
  lineOf: (a: number, b: number) => Polyline,
): NetworkLayout {
  const links: LayoutLink[] = [];
  for (let a = 0; a < topology.n; a++) {
    for (let port = 0; port < topology.degree(a); port++) {
      const b = topology.neighbour(a, port);
      const isFirst = !links.some((link) => link.a === a && link.b === b);
      if (a < b && isFirst) links.push({ a, b, line: lineOf(a, b) });
    }
  }
  return {
    points,
    links,
    stretch,
    junctions: [],
    route(from, port) {
      const to = topology.neighbour(from, port);
      return from < to ? lineOf(from, to) : [...lineOf(to, from)].reverse();
    },
  };
}

/** Position r · columns + c is in row r and column c. */
function gridPoints(rows: number, columns: number): Point[] {
  return Array.from({ length: rows * columns }, (_, at) => ({
    x: at % columns,
    y: Math.floor(at / columns),
  }));
}
