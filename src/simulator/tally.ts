/** What is counted while messages are delivered. */
import { NONE } from '../kernel/field.ts';

/** Messages by type, and how the announcement fares. */
export interface Tally {
  readonly byType: Float64Array;
  readonly firstAnnouncement: number;
  /** Who announced first; −1 before. */
  announcer: number;
  /** When an announcement last came to the one who announced first, in units; −1 before. */
  announcementReturnedAt: number;
  /**
   * Who has announced, by position, where several may without being asked, as on an overlay of rings: `announcementReturnedAt` is then
   * when an announcement last came to one of them. Null elsewhere.
   */
  readonly announcers: Uint8Array | null;
}

export function noteAnnouncer(tally: Tally, at: number): void {
  if (tally.announcer === NONE) tally.announcer = at;
  if (tally.announcers !== null) tally.announcers[at] = 1;
}

/** `time` in units. */
export function noteAnnounced(tally: Tally, at: number, time: number): void {
  if (tally.announcers === null ? tally.announcer === at : tally.announcers[at] === 1)
    tally.announcementReturnedAt = time;
}
