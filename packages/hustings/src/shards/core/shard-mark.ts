import { InputError } from '@hustings/base';
import { utf8Length } from '../../lease/core/election-name.ts';
import { checkCheckpoint } from '../../lease/core/term-data.ts';

/**
 * What the owner of a shard leaves in the shard's record, under its token: the checkpoint of its work, and whether the shard
 * was split or merged. A mark counts for one split of the parent, its `parent`: after another split, a child begins again. For a
 * shard that is nobody's child, `parent` is the generation of the layout (shard-layout.ts).
 *
 *   open    the shard has work; `text` is its checkpoint
 *   split   the children have the work, from the split `epoch` on; each begins with `text`
 *   merged  the work went to the parent. The mark of the second child, `/1`, is the decision. That of the first one, `/0`, comes
 *           before it, and counts only if the decision follows: `sibling` is the term of `/1` that may decide.
 */
export type ShardMark =
  | { readonly type: 'open'; readonly parent: bigint; readonly text: string | null }
  | { readonly type: 'split'; readonly parent: bigint; readonly epoch: bigint; readonly text: string | null }
  | {
      readonly type: 'merged';
      readonly parent: bigint;
      readonly sibling: bigint;
      readonly text: string | null;
    };

/** At most this many bytes of a checkpoint: the mark takes the rest of what the store keeps. */
const MAX_CHECKPOINT_BYTES = 4_000;

/** `what` is the subject of the message. */
export function checkShardCheckpoint(text: unknown, what: string): asserts text is string {
  if (typeof text !== 'string') throw new InputError(`${what} must be a text, not ${typeof text}`);
  const bytes = utf8Length(text);
  if (bytes <= MAX_CHECKPOINT_BYTES) return checkCheckpoint(text);
  throw new InputError(
    `${what} must be a text of at most ${MAX_CHECKPOINT_BYTES} bytes, not ${bytes}; store the rest elsewhere and refer to it`,
  );
}

const FORM = /^hustings-shard (open|split|merged) (\d+) (\d+)(?: ([\s\S]*))?$/;

export function markText(mark: ShardMark): string {
  const number = mark.type === 'split' ? mark.epoch : mark.type === 'merged' ? mark.sibling : 0n;
  const head = `hustings-shard ${mark.type} ${mark.parent} ${number}`;
  return mark.text === null ? head : `${head} ${mark.text}`;
}

/** Null if nobody has left a mark. */
export function parseMark(checkpoint: string | null): ShardMark | null {
  const match = checkpoint === null ? null : FORM.exec(checkpoint);
  if (match === null) return null;
  const parent = BigInt(match[2]);
  const number = BigInt(match[3]);
  const text = match[4] ?? null;
  if (match[1] === 'split') return { type: 'split', parent, epoch: number, text };
  if (match[1] === 'merged') return { type: 'merged', parent, sibling: number, text };
  return { type: 'open', parent, text };
}
