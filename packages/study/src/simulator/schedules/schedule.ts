/**
 * A schedule holds the messages in flight, and decides when each arrives. Times are in ticks, a thousand per unit.
 */
export const TICKS = 1000;

export interface Schedule {
  /** When the next message arrives; Infinity if none is in flight. */
  nextTime(): number;
  /**
   * Stores a copy of a record that is sent now on a link. `depth` is the length of the causal chain that ends with it.
   */
  add(now: number, link: number, words: Int32Array, base: number, depth: number): void;
  /** The offset in `words` of the next message that arrives now, or −1. Valid until the next call. */
  take(now: number): number;
  readonly words: Int32Array;
  /** The depth of the message that was taken last. */
  depth(): number;
  /** The time at which the message that was taken last was sent, in ticks. */
  sentAt(): number;
  /** Visits the records of all messages that have not been taken. */
  forEachInFlight(visit: (words: Int32Array, base: number) => void): void;
}

/** For runs whose messages a loop of its own carries. */
export const NO_SCHEDULE: Schedule = {
  words: new Int32Array(0),
  nextTime: () => Number.POSITIVE_INFINITY,
  add() {},
  take: () => -1,
  depth: () => 0,
  sentAt: () => 0,
  forEachInFlight() {},
};
