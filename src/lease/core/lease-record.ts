/**
 * What a store keeps for one election. The row outlives every lease in it: its token is that of the latest term, so
 * that the next one is larger even after a release.
 *
 * Times are durations in whole milliseconds, measured by the store at the moment it answered. No wall clock of one
 * machine is ever compared with that of another.
 */
export interface LeaseRecord {
  readonly name: string;
  /** Of the latest term, whether it is over or not; 0 before the first. */
  readonly token: bigint;
  /** Who holds the lease, or null if nobody does: it was released, or it has expired by the store's clock. */
  readonly holder: Holder | null;
  /**
   * What is left of the lease, or of the reservation for a successor, by the store's clock; 0 if it is free for everybody.
   * Null in a store that has no clock of its own: then a challenger waits until `version` has stood still for `ttlMs`.
   */
  readonly remainingMs: number | null;
  /** Changes with every write to the record. */
  readonly version: bigint;
  /** While nobody holds it: the candidate that it is kept for, by the name of its `Holder`. */
  readonly successor: string | null;
}

export interface Holder {
  /** The candidate's name, for people. Two candidates may share it. */
  readonly id: string;
  /** One attempt of one process: no two attempts in the world share it. */
  readonly nonce: string;
  /** Duration that the holder asked for: others go by this one, not by their own. */
  readonly ttlMs: number;
  readonly priority: number;
  /** What proves to others on the same host that the holder is gone; '' where there is no such proof. */
  readonly processProof: string;
  /** The lease may not be renewed any more. It is still held until it ends. */
  readonly evicted: boolean;
}

/** A waiting candidate of higher priority than the holder, if one asked within its own ttl. */
export interface Challenger {
  readonly id: string;
  readonly priority: number;
  /** How long it has been waiting, by the store's clock. */
  readonly waitedMs: number;
}
