/** Steps as numbers: a kind, and which node, timer, link or message of a link it concerns. */

export const START = 0;
export const DELIVER = 1;
export const TIMER = 2;
export const NOTICE = 3;
export const TICK = 4;
export const ROUND = 5;
/** From here on steps are faults: they may happen and need not. */
export const CRASH = 6;
export const RECOVER = 7;
export const LOSE = 8;

/** A power of two, so that common steps stay small integers. */
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

export function isFault(step: number): boolean {
  return kindOf(step) >= CRASH;
}
