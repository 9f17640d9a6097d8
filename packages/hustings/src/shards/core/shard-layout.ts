/**
 * The layout of a group: the shards of which it consists before any split. A key has its place by the layout, so all members
 * must have the same one, and a checkpoint means nothing in another one.
 *
 * The record of the group's own election defines the layout, with a generation that rises with each change. Marks in the records
 * of shards carry the generation: those of another one do not count. The record is written by the holder of that election alone:
 *
 *   open    members with this layout work
 *   closed  the layout is about to change: nobody begins to work
 *
 * A change is safe on a store that is linearizable: the holder first closes the old layout, then sees that no lease of a shard is
 * held; and a member reads the definition after each grant. Either the one sees the lease, or the other sees that it is closed.
 */
import { textHash } from './text-hash.ts';

export interface GroupDefinition {
  readonly type: 'open' | 'closed';
  readonly layout: string;
  readonly generation: bigint;
}

/** `roots` are the shards before any split, sorted. */
export const layoutOf = (roots: readonly string[]): string =>
  `${roots.length}-${textHash(roots.join('\0')).toString(16)}`;

export const shardsIn = (layout: string): number => Number.parseInt(layout, 10);

/** '0', '1', …, sorted as text. */
export const numberedShards = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, shard) => `${shard}`).sort();

export const definitionText = ({ type, layout, generation }: GroupDefinition): string =>
  `hustings-shards ${type} ${layout} ${generation}`;

const FORM = /^hustings-shards (open|closed) (\d+-[\da-f]+) (\d+)$/;

/** Null before the first member. */
export function parseDefinition(checkpoint: string | null): GroupDefinition | null {
  const match = checkpoint === null ? null : FORM.exec(checkpoint);
  if (match === null) return null;
  return { type: match[1] as 'open' | 'closed', layout: match[2], generation: BigInt(match[3]) };
}

/** Part of the nonce of a member: others see its layout. */
export const memberKind = (layout: string): string => `shards-${layout}`;

/** The layout of a member, from the identity in its nonce; null for a candidate that is no member. */
export const layoutOfMember = (identity: string): string | null =>
  /\/shards-(\d+-[\da-f]+)$/.exec(identity)?.[1] ?? null;
