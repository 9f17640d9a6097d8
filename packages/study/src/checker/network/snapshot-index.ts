/**
 * Finds the number of a state of a node without its key: most calls of a handler lead to a state that is known, and a key is
 * a text of all its parts.
 */
import type { NodeSnapshot } from '../../kernel/world/node-step.ts';

/** Hashes that are small integers of V8. */
const HASH_BITS = 0x3fffffff;

export class SnapshotIndex {
  /** By hash: the numbers of the states that have it. */
  private readonly numbers = new Map<number, number[]>();

  /** `all` are the states by number. */
  constructor(private readonly all: readonly NodeSnapshot[]) {}

  /** Undefined if the state is not known here. */
  find(state: NodeSnapshot): number | undefined {
    const numbers = this.numbers.get(hashOf(state));
    if (numbers === undefined) return undefined;
    for (let k = 0; k < numbers.length; k++) if (isSame(this.all[numbers[k]], state)) return numbers[k];
    return undefined;
  }

  add(state: NodeSnapshot, number: number): void {
    const hash = hashOf(state);
    const numbers = this.numbers.get(hash);
    if (numbers === undefined) this.numbers.set(hash, [number]);
    else numbers.push(number);
  }
}

function hashOf({ led, record, startedFor, timers }: NodeSnapshot): number {
  return mixed(led, mixed(timers, mixed(record, startedFor))) & HASH_BITS;
}

function mixed(numbers: readonly number[], seed: number): number {
  let hash = seed;
  for (let k = 0; k < numbers.length; k++) {
    hash = Math.imul(hash ^ numbers[k], 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash;
}

function isSame(one: NodeSnapshot, other: NodeSnapshot): boolean {
  return (
    one.startedFor === other.startedFor &&
    isEqual(one.record, other.record) &&
    isEqual(one.timers, other.timers) &&
    isEqual(one.led, other.led)
  );
}

/** True for equal numbers in the same order. */
export function isEqual(one: readonly number[], other: readonly number[]): boolean {
  if (one.length !== other.length) return false;
  for (let k = 0; k < one.length; k++) if (one[k] !== other[k]) return false;
  return true;
}
