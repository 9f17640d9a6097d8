/** Checks that are stopped at given points, saved as bytes, and resumed. */
import { registry } from '../../../dist/algorithms/registry.js';
import {
  type CheckOptions,
  type Checkpoint,
  type CheckResult,
  check,
  checkpointBytes,
  readCheckpoint,
} from '../../../dist/checker/index.js';
import { searchThreads } from '../../../dist/cli/workers/search-threads.js';
import type { AnyAlgorithm } from '../../../dist/kernel/index.js';

export interface Case {
  /** A name of the registry. */
  readonly name: string;
  /** Without threads: any algorithm. */
  readonly algorithm?: AnyAlgorithm;
  readonly options: CheckOptions;
}

/** One part of a check: its number of threads, and how many states or rounds it expands before it is interrupted. */
export interface Part {
  readonly cores: number;
  readonly turns: number;
}

export function algorithmOf({ algorithm, name }: Case): AnyAlgorithm {
  const found = algorithm ?? registry.find((each) => each.name === name);
  if (found === undefined) throw new Error(name);
  return found;
}

export function bytesOf(checkpoint: Checkpoint): Buffer {
  return Buffer.concat([...checkpointBytes(checkpoint)].map((part) => Buffer.from(part)));
}

export function checkpointIn(bytes: Uint8Array): Checkpoint {
  let from = 0;
  return readCheckpoint((into) => {
    const part = bytes.subarray(from, from + into.length);
    into.set(part);
    from += part.length;
    return part.length;
  });
}

/**
 * Runs the parts, and then the rest. Returns the result, the checkpoints at which the check was resumed, and whether the last part
 * was interrupted, which leaves no checkpoint if there is a violation.
 */
export function checkInParts(
  one: Case,
  parts: readonly Part[],
): [result: CheckResult, checkpoints: Checkpoint[], isInterrupted: boolean] {
  const checkpoints: Checkpoint[] = [];
  for (const { cores, turns } of [...parts, { cores: 1, turns: Number.POSITIVE_INFINITY }]) {
    let left = turns;
    let stopped: Checkpoint | null = null;
    const pace = { fromStates: 50, waits: true, minEach: 4 };
    const result = check(algorithmOf(one), {
      ...one.options,
      threads: cores === 1 ? undefined : { ...searchThreads(one.name, cores), pace },
      resume: checkpoints.at(-1),
      isInterrupted: () => left-- <= 0,
      onStopped: (checkpoint) => {
        stopped = checkpointIn(bytesOf(checkpoint));
      },
    });
    if (result.stopped !== 'interrupt' || stopped === null) return [result, checkpoints, left < 0];
    checkpoints.push(stopped);
  }
  throw new Error('the last part was interrupted');
}
