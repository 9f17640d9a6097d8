/** What one may ask about a whole network: is it connected, is it a tree, how far apart are its ends. All exact. */
import { InputError } from '../errors.ts';
import type { Topology } from './topology.ts';

/** Breadth-first search whose arrays serve any number of starts. */
class Search {
  /** Links from the start; −1 where the position cannot be reached. */
  readonly distances: Int32Array;
  private readonly topology: Topology;
  private readonly queue: Int32Array;

  constructor(topology: Topology) {
    this.topology = topology;
    this.distances = new Int32Array(topology.n);
    this.queue = new Int32Array(topology.n);
  }

  /** Returns the last position that was reached, one of the farthest; or −1 if some cannot be reached. */
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

/** The smallest position that cannot be reached from position 0, or −1. */
function unreachable(topology: Topology): number {
  if (topology.kind !== 'graph') return -1;
  const search = new Search(topology);
  return search.from(0) === -1 ? search.distances.indexOf(-1) : -1;
}

export function isConnected(topology: Topology): boolean {
  return unreachable(topology) === -1;
}

/** Refuses a graph in pieces. */
export function checkConnected(topology: Topology): void {
  const position = unreachable(topology);
  if (position !== -1) {
    throw new InputError(
      `expected a connected graph, got one where position ${position} cannot be reached from 0: add an edge`,
    );
  }
}

/** Connected and without a cycle. The ring of one is a loop, and no tree. */
export function isTree(topology: Topology): boolean {
  return topology.edges === topology.n - 1 && isConnected(topology);
}

/**
 * The largest distance between two positions, along the direction of a one-way ring; Infinity for a graph in
 * pieces. Computed for rings, their maps and complete networks, two searches for a tree, a search from every position for
 * other graphs: n · edges steps.
 */
export function diameter(topology: Topology): number {
  const { n } = topology;
  if (topology.kind === 'ring') return topology.oneWay ? n - 1 : Math.floor(n / 2);
  if (topology.kind === 'complete' || topology.kind === 'ring map') return n === 1 ? 0 : 1;
  const search = new Search(topology);
  const farthest = search.from(0);
  if (farthest === -1) return Number.POSITIVE_INFINITY;
  // Connected with n − 1 edges is a tree, and in a tree a farthest position is an end of a longest path.
  if (topology.edges === n - 1) return search.distances[search.from(farthest)];
  let largest = search.distances[farthest];
  for (let start = 1; start < n; start++) largest = Math.max(largest, search.distances[search.from(start)]);
  return largest;
}
