/** Graphs as adjacency lists, and distances in them. */

import { at } from '../reference-outcome.ts';

export type Neighbours = readonly (readonly number[])[];

export function edgeCount(neighbours: Neighbours): number {
  let ends = 0;
  for (const list of neighbours) ends += list.length;
  return ends / 2;
}

/** Hops to each node from the nearest of the given ones; Infinity if there is no path. */
export function hopsFrom(neighbours: Neighbours, starts: readonly number[]): number[] {
  const hops = new Array<number>(neighbours.length).fill(Infinity);
  for (const start of starts) hops[start] = 0;
  const queue = [...starts];
  for (let head = 0; head < queue.length; head++) {
    const node = at(queue, head);
    for (const other of at(neighbours, node)) {
      if (at(hops, other) < Infinity) continue;
      hops[other] = at(hops, node) + 1;
      queue.push(other);
    }
  }
  return hops;
}

/** Hops from a node to the node furthest from it; Infinity if the graph is not connected. */
export function eccentricity(neighbours: Neighbours, from: number): number {
  return Math.max(...hopsFrom(neighbours, [from]));
}

export function diameter(neighbours: Neighbours): number {
  return Math.max(...neighbours.map((_, position) => eccentricity(neighbours, position)));
}
