/**
 * Chang and Roberts 1979: the token of each initiator travels clockwise until it meets a stronger initiator.
 *
 * A node that does not initiate forwards every token and cannot win. The largest initiator wins; for the smallest,
 * negate the ids. A ring of one sends its token to itself: E = 1, A = 1.
 */

import { at, initiatorFlags, largestInitiator, type Outcome } from '../../reference-outcome.ts';

/**
 * The number of token messages, in O(n): a token travels to the next greater initiator clockwise, the largest token
 * around the whole ring. Walks backwards from the largest initiator with a stack of descending ids, whose top is the
 * nearest greater one after the smaller ones are removed.
 */
export function changRobertsElection(ids: ArrayLike<number>, initiators?: readonly number[]): number {
  const n = ids.length;
  const initiates = initiatorFlags(n, initiators);
  const largest = largestInitiator(ids, initiates);
  const stack = new Uint32Array(n + 1); // hops clockwise from the largest initiator
  stack[0] = n; // the largest initiator itself, met again after n hops
  let top = 0;
  let election = n;
  for (let hops = n - 1; hops >= 1; hops--) {
    const position = (largest + hops) % n;
    if (at(initiates, position) === 0) continue;
    while (at(ids, (largest + at(stack, top)) % n) < at(ids, position)) top--;
    election += at(stack, top) - hops;
    top++;
    stack[top] = hops;
  }
  return election;
}

/**
 * The whole outcome in closed form: the leader decides at n, the last node at 2n - 1, and the announcement returns at
 * 2n.
 */
export function changRobertsClosed(ids: ArrayLike<number>, initiators?: readonly number[]): Outcome {
  const n = ids.length;
  const election = changRobertsElection(ids, initiators);
  return {
    leader: largestInitiator(ids, initiatorFlags(n, initiators)),
    election,
    announcement: n,
    byType: { token: election, elected: n },
    electedAt: n,
    agreedAt: 2 * n - 1,
    announcementReturnedAt: 2 * n,
  };
}

/** The largest cost of k initiators of n: adjacent, descending clockwise. */
export function changRobertsWorst(n: number, k: number): number {
  return n * k - (k * (k - 1)) / 2;
}

/** The smallest cost of k initiators of n: adjacent, ascending clockwise. */
export function changRobertsBest(n: number, k: number): number {
  return n + k - 1;
}
