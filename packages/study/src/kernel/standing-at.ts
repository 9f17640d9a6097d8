import type { Setup } from './setup.ts';
import type { Standing } from './standing.ts';

/** Where the node at a position stands, by its state; null if the algorithm does not tell. */
export function standingAt(
  { algorithm, ids, nodes: n, params }: Pick<Setup, 'algorithm' | 'ids' | 'nodes' | 'params'>,
  at: number,
  state: Readonly<Record<string, unknown>>,
): Standing | null {
  return algorithm.standing?.(state, { id: ids[at], n, params }) ?? null;
}
