/** Exact properties of a whole network: connectivity, being a tree, diameter. */
import { InputError } from '../errors.ts';
import type { Topology } from './topology.ts';

/** Breadth-first search; the arrays are reused for every start. */
class Search {
  /** The distance from the start in links; −1 if the position is unreachable. */
  readonly distances: Int32Array;
  private readonly queue: Int32Array;

  constructor(private readonly topology: Topology) {
    this.distances = new Int32Array(topology.n);
    this.queue = new Int32Array(topology.n);
  }

  /** Returns a position at the greatest distance, or −1 if some position is unreachable. */
  from(start: number): number {
    const { topology, distances, queue } = this;
    distances.fill(-1);
    distances[start] = 0;
    queue[0] = start;
    let reached = 1;
    for (let next = 0; next < reached; next++) {
      const position = queue[next];
      const degree = topology.degree(position);
      for (let port = 0; port < degree; port++) {
        const neighbour = topology.neighbour(position, port);
        if (distances[neighbour] !== -1) continue;
        distances[neighbour] = distances[position] + 1;
        queue[reached++] = neighbour;
      }
    }
    return reached === topology.n ? queue[reached - 1] : -1;
  }
}

/** The smallest position that is unreachable from position 0, or −1. */
function unreachable(topology: Topology): number {
  if (topology.kind !== 'graph') return -1;
  const search = new Search(topology);
  return search.from(0) === -1 ? search.distances.indexOf(-1) : -1;
}

export function isConnected(topology: Topology): boolean {
  return unreachable(topology) === -1;
}

/** Throws if the graph is not connected. */
export function checkConnected(topology: Topology): void {
  const position = unreachable(topology);
  if (position !== -1) {
    throw new InputError(
      `the network must be connected, and position ${position} cannot be reached from position 0: add an edge`,
    );
  }
}

/** True if the network is connected and has no cycle. The ring of one node is a loop, so it is not a tree. */
export function isTree(topology: Topology): boolean {
  return topology.edges === topology.n - 1 && isConnected(topology);
}

/**
 * The greatest distance between two positions, along the direction of a one-way ring; Infinity if the graph is not
 * connected. A formula for rings, ring maps and complete networks, two searches for a tree, and n searches for other graphs,
 * which takes n · edges steps.
 */
export function diameter(topology: Topology): number {
  const { n } = topology;
  if (topology.kind === 'ring') return topology.oneWay ? n - 1 : Math.floor(n / 2);
  if (topology.kind === 'complete' || topology.kind === 'ring map') return n === 1 ? 0 : 1;
  const search = new Search(topology);
  const farthest = search.from(0);
  if (farthest === -1) return Number.POSITIVE_INFINITY;
  // A connected graph with n − 1 edges is a tree, and in a tree a farthest position is an end of a longest path.
  if (topology.edges === n - 1) return search.distances[search.from(farthest)];
  let largest = search.distances[farthest];
  for (let start = 1; start < n; start++) largest = Math.max(largest, search.distances[search.from(start)]);
  return largest;
}
