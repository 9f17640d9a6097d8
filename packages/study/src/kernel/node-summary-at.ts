import type { NodeSummary } from './node-summary.ts';
import type { Setup } from './setup.ts';

/** The summary of the node at a position, from its state; null if the algorithm has no `standing`. */
export function nodeSummaryAt(
  { algorithm, ids, nodes: n, params }: Pick<Setup, 'algorithm' | 'ids' | 'nodes' | 'params'>,
  at: number,
  state: Readonly<Record<string, unknown>>,
): NodeSummary | null {
  return algorithm.standing?.(state, { id: ids[at], n, params }) ?? null;
}
