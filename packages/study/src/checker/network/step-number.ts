/** Encodes steps as numbers: a kind, and the index of a node, a timer, a link or a message of a link. */

export const START = 0;
export const DELIVER = 1;
export const TIMER = 2;
export const NOTICE = 3;
export const TICK = 4;
export const ROUND = 5;
/** This kind and all larger ones are optional. */
export const CRASH = 6;
export const RECOVER = 7;
export const LOSE = 8;
/** A start that the failure detector allows, but does not require. */
export const SUSPECT = 9;

/** The number of kinds that the encoding allows. */
const KINDS = 16;

export function stepNumber(kind: number, index: number): number {
  return index * KINDS + kind;
}

export function kindOf(step: number): number {
  return step % KINDS;
}

export function indexOf(step: number): number {
  return Math.floor(step / KINDS);
}

export function isOptional(step: number): boolean {
  return kindOf(step) >= CRASH;
}
