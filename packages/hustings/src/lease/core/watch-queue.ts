/**
 * The queue of the processes that wait for a lease in ZooKeeper, as pure functions: which node each process watches, and what
 * it does when it knows whether that node exists. The nodes are ephemeral and end in increasing numbers.
 *
 * Guaranteed: each node is watched by at most one process of the queue. So one that vanishes notifies one process.
 */

/** `first`: no process stands before this one. It watches the node of the holder. */
export type WatchedNode =
  | { readonly type: 'predecessor'; readonly node: string }
  | { readonly type: 'first' };

/** Null: the own node is not in the queue. The process joins the queue again. */
export function watchedNode(nodes: readonly string[], own: string): WatchedNode | null {
  const sorted = nodes.toSorted((a, b) => numberOf(a) - numberOf(b));
  const index = sorted.indexOf(own);
  if (index < 0) return null;
  return index === 0 ? { type: 'first' } : { type: 'predecessor', node: sorted[index - 1] };
}

/**
 * wait: the server reports when the watched node vanishes.
 * look again: the predecessor had vanished before it was watched.
 * ask: the lease may be free, and it is the turn of this process.
 */
export function afterWatching(watched: WatchedNode, exists: boolean): 'wait' | 'look again' | 'ask' {
  if (exists) return 'wait';
  return watched.type === 'predecessor' ? 'look again' : 'ask';
}

const numberOf = (node: string): number => Number(node.slice(-10));
