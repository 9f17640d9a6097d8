/** What is counted while messages are delivered. */

/** Messages by type, and how the announcement fares. */
export interface Tally {
  readonly byType: Float64Array;
  readonly firstAnnouncement: number;
  /** Who announced first; −1 before. */
  announcer: number;
  /** When an announcement last came to the one who announced first, in units; −1 before. */
  home: number;
}
