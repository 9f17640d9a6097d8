/**
 * Messages in flight, and who decides when each arrives. Times are ticks, a thousand to a unit.
 */
export const TICKS = 1000;

export interface Schedule {
  /** When the next message arrives; Infinity if none is in flight. */
  nextTime(): number;
  /**
   * Takes a copy of a record that was sent now on a link. `depth` is the length of the chain of messages that
   * ends with it.
   */
  add(now: number, link: number, words: Int32Array, base: number, depth: number): void;
  /** The place in `words` of the next message that arrives now, or −1. It stays until the next call. */
  take(now: number): number;
  readonly words: Int32Array;
  /** Of the message last taken. */
  depth(): number;
  /** When the message last taken was sent, in ticks. */
  sentAt(): number;
}
