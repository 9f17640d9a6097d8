/** The outcome that every reference run reports, and helpers that all references share. */

export interface Outcome {
  /** The position of the leader. */
  leader: number;
  /** All messages that are not announcements, including late ones. */
  election: number;
  /** The announcement messages. */
  announcement: number;
  /** Messages sent, by type. */
  byType: Record<string, number>;
  /** When the leader decided. */
  electedAt: number;
  /** When the last live node decided. */
  agreedAt: number;
  /** When the announcement returned to its sender; null if the network is not a ring. */
  announcementReturnedAt: number | null;
}

/** The element at an index that must exist. */
export function at<T>(list: ArrayLike<T>, index: number): T {
  const value = list[index];
  if (value === undefined) throw new RangeError(`no element ${index} in a list of ${list.length}`);
  return value;
}

/** One flag per position: 1 if the node initiates. All nodes initiate if no list is given. */
export function initiatorFlags(n: number, initiators?: readonly number[]): Uint8Array {
  const flags = new Uint8Array(n);
  if (initiators === undefined) return flags.fill(1);
  for (const position of initiators) {
    if (!Number.isInteger(position) || position < 0 || position >= n)
      throw new RangeError(`no node ${position}`);
    flags[position] = 1;
  }
  if (!flags.includes(1)) throw new RangeError('at least one node must initiate');
  return flags;
}

/** The position of the largest id among the initiators. */
export function largestInitiator(ids: ArrayLike<number>, initiates: Uint8Array): number {
  let largest = -1;
  for (let i = 0; i < ids.length; i++) {
    if (at(initiates, i) === 1 && (largest < 0 || at(ids, i) > at(ids, largest))) largest = i;
  }
  return largest;
}

/** Hops clockwise from one position to another: 0 to n - 1. */
export function clockwise(n: number, from: number, to: number): number {
  return (to - from + n) % n;
}

/** The latest decision time; every node must have one. */
export function latest(knewAt: readonly number[]): number {
  let last = 0;
  for (let i = 0; i < knewAt.length; i++) {
    if (at(knewAt, i) < 0) throw new Error(`node ${i} never learned who leads`);
    last = Math.max(last, at(knewAt, i));
  }
  return last;
}
