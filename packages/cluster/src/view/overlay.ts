/**
 * The network over the members of an epoch, or over all members: what the algorithm assumes, built from ids in ascending
 * order. With given edges, a connected network is the part of them between the members, and a tree is its breadth-first
 * tree from the smallest id.
 */

import { resolveSetup, type Setup } from '@hustings/study/driver';
import { type AnyAlgorithm, type Setting, Topology } from '@hustings/study/kernel';

/** An undirected link between two members, by id. */
export type MemberEdge = readonly [number, number];

/** True if the algorithm sees crashes itself: one run over all members that never ends. */
export function isEndless({ assumes }: AnyAlgorithm): boolean {
  return assumes.faults?.includes('crash') ?? false;
}

/** The setup of an election between these members; null if the given edges do not connect them. */
export function overlaySetup(
  algorithm: AnyAlgorithm,
  members: readonly number[],
  set: Readonly<Record<string, Setting>>,
  edges: readonly MemberEdge[] | null,
): Setup | null {
  const ids = members.toSorted((a, b) => a - b);
  const { network } = algorithm.assumes;
  if (network !== 'tree' && (network !== 'connected' || edges === null)) {
    const topology = network === 'connected' ? Topology.complete(Int32Array.from(ids)) : undefined;
    return resolveSetup(algorithm, { ids, set, topology });
  }
  const between = positionsOf(ids, edges ?? completeEdges(ids));
  const tree = spanningTree(ids.length, between);
  if (tree === null) return null;
  const pairs = network === 'tree' ? tree : between;
  const topology = Topology.fromEdges(
    network === 'tree' ? 'tree' : 'edges',
    ids.length,
    Int32Array.from(pairs.flat()),
  );
  return resolveSetup(algorithm, { ids, set, topology });
}

function completeEdges(ids: readonly number[]): MemberEdge[] {
  return ids.flatMap((a, at) => ids.slice(at + 1).map((b): MemberEdge => [a, b]));
}

/** The edges between the members, as positions; each once. */
function positionsOf(ids: readonly number[], edges: readonly MemberEdge[]): MemberEdge[] {
  const kept = new Map<string, MemberEdge>();
  for (const [a, b] of edges) {
    const [from, to] = [ids.indexOf(a), ids.indexOf(b)].sort((x, y) => x - y);
    if (from >= 0 && from !== to) kept.set(`${from} ${to}`, [from, to]);
  }
  return [...kept.values()];
}

/** Breadth-first from position 0; null if it does not reach all. */
function spanningTree(n: number, edges: readonly MemberEdge[]): MemberEdge[] | null {
  const tree: MemberEdge[] = [];
  const reached = [0];
  for (const at of reached) {
    for (const [a, b] of edges) {
      const next = a === at ? b : b === at ? a : -1;
      if (next < 0 || reached.includes(next)) continue;
      reached.push(next);
      tree.push([at, next]);
    }
  }
  return reached.length === n ? tree : null;
}
