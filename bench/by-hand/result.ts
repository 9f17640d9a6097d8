/** What a hand-written loop returns: the bench compares it with the outcome of the engine. */
export interface HandResult {
  readonly byType: Readonly<Record<string, number>>;
  /** The position of the leader. */
  readonly leader: number;
  /** When the last node decided, in units. */
  readonly agreedAt: number;
}

/** The links of a graph as plain arrays: those of `at` are `offsets[at]` up to `offsets[at + 1]`. */
export interface Links {
  readonly offsets: Int32Array;
  readonly neighbours: Int32Array;
}

export const FOLLOWER = 2;
export const LEADER = 1;

/** A longer copy of a full buffer. */
export function doubled(array: Int32Array): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(2 * array.length);
  longer.set(array);
  return longer;
}
