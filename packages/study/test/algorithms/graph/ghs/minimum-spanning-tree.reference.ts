/**
 * Kruskal's minimum spanning tree. The weight of an edge is the pair of the ids at its ends, the smaller first.
 */

import { at } from '../../reference-outcome.ts';
import type { Neighbours } from '../graph.ts';

/** The edges of the tree as 'a-b', the smaller position first, sorted. */
export function minimumSpanningTree(neighbours: Neighbours, ids: readonly number[]): string[] {
  const edges = neighbours.flatMap((others, a) => others.filter((b) => b > a).map((b) => ({ a, b })));
  const low = ({ a, b }: { a: number; b: number }) => Math.min(at(ids, a), at(ids, b));
  const high = ({ a, b }: { a: number; b: number }) => Math.max(at(ids, a), at(ids, b));
  edges.sort((one, other) => low(one) - low(other) || high(one) - high(other));
  const parts = ids.map((_, position) => position);
  const tree: string[] = [];
  for (const { a, b } of edges) {
    const [partOfA, partOfB] = [at(parts, a), at(parts, b)];
    if (partOfA === partOfB) continue;
    tree.push(`${a}-${b}`);
    parts.forEach((part, position) => {
      if (part === partOfB) parts[position] = partOfA;
    });
  }
  return tree.sort();
}
