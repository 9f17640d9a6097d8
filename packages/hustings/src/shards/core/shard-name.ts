/**
 * Names of shards. Each shard is an election of its own, `GROUP#shards/SHARD`, and the group has one more, `GROUP#shards`: an
 * elector with the name of the group, with slots or without, has nothing in common with them. A shard that was split has two children, `SHARD/0` and
 * `SHARD/1`: each has half of its keys, by the next bit of their hash.
 */
import { InputError } from '@hustings/base';
import { checkName } from '../../lease/core/election-name.ts';
import { textHash } from './text-hash.ts';

/** A key has this number of bits to split by. */
export const MAX_SPLITS = 24;

export function checkGroupName(name: unknown): asserts name is string {
  checkName(name, 'a shard group');
  if (!name.includes('#')) return;
  const plain = name.replaceAll('#', '-');
  throw new InputError(
    `the name of a shard group must not contain '#', which separates it from its shards; use '${plain}', not '${name}'`,
  );
}

/** `what` is the subject of the message. */
export function checkText(value: unknown, what: string): asserts value is string {
  if (typeof value === 'string') return;
  const isShown = value === null || !['object', 'function', 'symbol'].includes(typeof value);
  throw new InputError(`${what}, not ${isShown ? value : typeof value}`);
}

/** The election of the members. */
export const groupElection = (group: string): string => `${group}#shards`;

export const electionOf = (group: string, shard: string): string => `${groupElection(group)}/${shard}`;

export const childrenOf = (shard: string): readonly [string, string] => [`${shard}/0`, `${shard}/1`];

/** Null for a shard that is nobody's child. */
export function parentOf(shard: string): string | null {
  const at = shard.lastIndexOf('/');
  return at < 0 ? null : shard.slice(0, at);
}

export const depthOf = (shard: string): number => shard.split('/').length - 1;

const PLACE_SEED = 1;
const SPLIT_SEED = 2;

/** The live shard of a key: first the root by the key's hash, then a child for each split. */
export function shardOfKey(
  key: string,
  roots: readonly string[],
  isSplit: (shard: string) => boolean,
): string {
  let shard = roots[textHash(key, PLACE_SEED) % roots.length];
  const bits = textHash(key, SPLIT_SEED);
  for (let depth = 0; depth < MAX_SPLITS && isSplit(shard); depth++) {
    shard = childrenOf(shard)[(bits >>> (31 - depth)) & 1];
  }
  return shard;
}
