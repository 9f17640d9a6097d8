/** The words with which the threads of a search coordinate; see worker-pool.ts. */

/** Grows with every phase; the threads wait for it. */
export const GENERATION = 0;
export const PHASE = 1;
/** The number of threads that have finished the phase. */
export const DONE = 2;
/** Why the round must be discarded. */
export const ABORT = 3;
/** The states of the round, and the first number of the next level. */
export const FROM = 4;
export const TO = 5;
export const NEXT_LEVEL = 6;
/** The number of states before the round. */
export const BASE = 7;
/** The numbers of rows that are reserved. */
export const LEFT_ROWS = 8;
export const RIGHT_ROWS = 9;
/** The number of threads that are ready for their first round. */
export const READY = 10;

/** Words of each worker. */
const FIRST_WORKER = 16;
const WORKER_WORDS = 16;
export const TRANSITIONS = 0;
export const TERMINAL = 1;
export const BEYOND_BOUND = 2;
export const MAY_CYCLE = 3;
export const IS_REDUCED = 4;
/** The new states of a worker, and the number of its first. */
export const WINNERS = 5;
export const FIRST_NUMBER = 6;
/** Grows while the worker works. */
export const PULSE = 7;

export function workerWord(worker: number, word: number): number {
  return FIRST_WORKER + WORKER_WORDS * worker + word;
}

export function controlWords(workers: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * workerWord(workers, 0)));
}

/** The phases of a round. */
export const EXPAND = 1;
export const COUNT = 2;
export const NUMBER = 3;
export const DISCARD = 4;

/** Reasons to discard a round: one thread must expand it; or the memory was full. */
export const ALONE = 1;
export const FULL = 2;

/** Thrown if the memory of a round is full. */
export class RoundFull extends Error {}
