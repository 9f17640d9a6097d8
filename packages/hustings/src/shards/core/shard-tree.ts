/**
 * Which shards are live, and whether the new owner of a shard may work on it. Safety: no two shards with a key in common have
 * work at the same time, whatever the members have read, and however old it is. It rests on three rules:
 *
 * - Only the holder of a lease writes its record, and a grant returns the record: an owner always knows its own mark.
 * - A split is one write, in the record of the parent, when the parent's work has stopped. From then on every grant of the
 *   parent shows it.
 * - A merge is decided by one write, in the record of the second child. Before it, the merging member has stopped both, and has
 *   marked the first child. So a first child without a mark proves that its parent was not merged. A mark that nobody can follow
 *   with the decision, because the term that could has ended, is undone by the next owner of the first child.
 */

import type { ShardMark } from './shard-mark.ts';
import { childrenOf, parentOf } from './shard-name.ts';

/** What the record of a shard says. */
export interface ShardRecord {
  readonly mark: ShardMark | null;
  /** The token of its latest term. */
  readonly token: bigint;
  /** That term may still write. */
  readonly isHeld: boolean;
}

export type ReadShard = (shard: string) => ShardRecord | undefined;

/** The mark, if it counts in this split of the parent. */
const counted = (mark: ShardMark | null | undefined, epoch: bigint): ShardMark | null =>
  mark?.parent === epoch ? mark : null;

/** The shard was split, and its children were merged. */
function mergedInto(shard: string, epoch: bigint, read: ReadShard): ShardMark | null {
  const second = counted(read(childrenOf(shard)[1])?.mark, epoch);
  return second?.type === 'merged' ? second : null;
}

/** The shards that should have an owner, below these roots, and all shards whose records say so. */
export function liveShards(
  roots: readonly string[],
  generation: bigint,
  read: ReadShard,
): { live: string[]; known: string[] } {
  const live: string[] = [];
  const known: string[] = [];
  const visit = (shard: string, epoch: bigint): void => {
    known.push(shard);
    const mark = counted(read(shard)?.mark, epoch);
    if (mark?.type !== 'split') {
      live.push(shard);
      return;
    }
    if (mergedInto(shard, mark.epoch, read) === null) {
      for (const child of childrenOf(shard)) visit(child, mark.epoch);
    } else {
      live.push(shard);
      known.push(...childrenOf(shard));
    }
  };
  for (const root of roots) visit(root, generation);
  return { live, known };
}

/** What the new owner of a shard may do. */
export type Admission =
  /** Work from this checkpoint; marks of this term have this parent epoch. */
  | { readonly type: 'work'; readonly epoch: bigint; readonly text: string | null }
  /** The work belongs to the children or to the parent. */
  | { readonly type: 'not-live' }
  /** A merge may be under way. */
  | { readonly type: 'undecided' };

/** The records that an admission needs, besides the own one. */
export const relativesOf = (shard: string): string[] => {
  const parent = parentOf(shard);
  return [childrenOf(shard)[1], ...(parent === null ? [] : [parent, childrenOf(parent)[1]])];
};

/** `own` is the mark that the grant returned; `read` are records that were read after it. */
export function admit(shard: string, own: ShardMark | null, generation: bigint, read: ReadShard): Admission {
  const parent = parentOf(shard);
  let epoch = generation;
  let begin: string | null = null;
  if (parent !== null) {
    const above = read(parent)?.mark;
    if (above?.type !== 'split') return { type: 'not-live' };
    epoch = above.epoch;
    begin = above.text;
  }
  const mark = counted(own, epoch);
  switch (mark?.type) {
    case undefined:
      return { type: 'work', epoch, text: begin };
    case 'open':
      return { type: 'work', epoch, text: mark.text };
    case 'split': {
      const merged = mergedInto(shard, mark.epoch, read);
      return merged === null ? { type: 'not-live' } : { type: 'work', epoch, text: merged.text };
    }
    case 'merged':
      return parent === null ? { type: 'not-live' } : afterMark(parent, shard, epoch, mark, read);
  }
}

function afterMark(
  parent: string,
  shard: string,
  epoch: bigint,
  mark: ShardMark & { readonly type: 'merged' },
  read: ReadShard,
): Admission {
  const [first, second] = childrenOf(parent);
  const decider = read(second);
  if (shard !== first || decider === undefined) return { type: 'not-live' };
  if (counted(decider.mark, epoch)?.type === 'merged') return { type: 'not-live' };
  // A later term of the second child, or none: the term that could decide has ended without a decision.
  const isUndone = decider.token > mark.sibling || (decider.token === mark.sibling && !decider.isHeld);
  return isUndone ? { type: 'work', epoch, text: mark.text } : { type: 'undecided' };
}
