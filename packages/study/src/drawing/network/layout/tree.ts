/** A tree in layers: its centre is the root, leaves are evenly spaced, a parent stands over the middle of its children. */
import type { Topology } from '../../../kernel/network/topology.ts';
import type { Point } from '../../svg.ts';

export function treePoints(topology: Topology): Point[] {
  const root = centreOf(topology);
  const points: Point[] = new Array(topology.n);
  let leaves = 0;
  const place = (at: number, parent: number, depth: number): number => {
    const children = neighbours(topology, at).filter((next) => next !== parent);
    const columns = children.map((child) => place(child, at, depth + 1));
    const x = columns.length === 0 ? leaves++ : (columns[0] + columns[columns.length - 1]) / 2;
    points[at] = { x, y: depth };
    return x;
  };
  place(root, -1, 0);
  const depth = Math.max(...points.map(({ y }) => y));
  // A line of nodes has two branches: they lie in one row.
  if (leaves <= 2 && depth > 0) return line(topology, root);
  return points.map(({ x, y }) => ({
    x: leaves === 1 ? 0 : x,
    y: y * Math.max(0.8, leaves / (2.2 * Math.max(1, depth))),
  }));
}

function line(topology: Topology, root: number): Point[] {
  const points: Point[] = new Array(topology.n);
  points[root] = { x: 0, y: 0 };
  neighbours(topology, root).forEach((first, branch) => {
    let [before, at] = [root, first];
    for (let step = 1; ; step++) {
      points[at] = { x: branch === 0 ? -step : step, y: 0 };
      const next = neighbours(topology, at).find((other) => other !== before);
      if (next === undefined) return;
      [before, at] = [at, next];
    }
  });
  return points;
}

function neighbours(topology: Topology, at: number): number[] {
  return Array.from({ length: topology.degree(at) }, (_, port) => topology.neighbour(at, port));
}

/** A node with the least distance to the farthest one: leaves are removed until one or two nodes are left. */
function centreOf(topology: Topology): number {
  const degrees = Array.from({ length: topology.n }, (_, at) => topology.degree(at));
  let left = topology.n;
  let leaves = degrees.flatMap((degree, at) => (degree <= 1 ? [at] : []));
  while (left > 2) {
    left -= leaves.length;
    const next: number[] = [];
    for (const leaf of leaves) {
      degrees[leaf] = 0;
      for (const other of neighbours(topology, leaf)) {
        if (degrees[other] === 0) continue;
        degrees[other] -= 1;
        if (degrees[other] === 1) next.push(other);
      }
    }
    leaves = next;
  }
  return leaves[0] ?? 0;
}
