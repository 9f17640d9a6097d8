/**
 * How far one frame of another member may raise a number of this member: its term, its epoch or its token. Such a number never
 * falls, and there is no election after the largest one. So without a limit one faulty frame could end all elections.
 *
 * Guarantees: a frame whose number is more than MAX_INCREMENT above all that this member knows has no effect. A member that knows of
 * few elections may be new in an old cluster, or in one whose tokens began above those of another one: it accepts numbers up to
 * half of the range. The rule depends on nothing but the two numbers, so members that know the same accept the same.
 * Does not guarantee anything against a member that chooses its numbers just below the limit: many of them use up the range, and
 * one of them takes the members that it is sent to away from the others.
 */

import { InputError } from '@hustings/base';

/** More elections than a cluster has in years. */
export const MAX_INCREMENT = 2 ** 20;
/** A member that knows a smaller number knows of few elections. */
export const FEW = 2 ** 10;

/**
 * The largest number above which a cluster may begin: a member that joins it after a million elections still accepts its numbers.
 */
export function maxFirst(largest: number): number {
  return Math.ceil(largest / 2) - MAX_INCREMENT - 1;
}

/** Throws unless the numbers of a cluster of this algorithm may begin above `first`. */
export function checkFirst(first: number, largest: number, algorithm: string): void {
  const most = maxFirst(largest);
  if (first <= most) return;
  throw new InputError(
    `the first token must be at most ${most} with ${algorithm}, not ${first}: a member that joins later would refuse its numbers; use an algorithm with a quorum, whose tokens are larger`,
  );
}

/** The limit for one kind of number. */
export class TermIncrementLimiter {
  constructor(
    private readonly name: 'term' | 'epoch' | 'token',
    /** The largest number there is. */
    private readonly largest: number,
    /** What this member knows of the same numbers from elsewhere. */
    private readonly minKnown: () => number = () => 0,
  ) {}

  /** Why a member that knows `known` does not accept `named` in a frame, in one line; null if it does. */
  refusal(known: number, named: number): string | null {
    const from = Math.max(known, this.minKnown());
    const most = Math.max(from + MAX_INCREMENT, from < FEW ? this.largest / 2 : 0);
    if (named <= most) return null;
    return `its ${this.name} ${named} is too far above ${from}, the largest known here: stop that member if it is faulty; if this one has missed that many elections, start it with a new id`;
  }
}
