/** Counts messages, and records when the announcement returns. */
import { NONE } from '../kernel/field.ts';

/** The counts of a run. */
export interface Tally {
  /** The messages of each type: counted when sent, in the fast loop when they arrive. */
  readonly byType: Float64Array;
  readonly firstAnnouncement: number;
  /** The first node that announced; −1 before. */
  announcer: number;
  /** When an announcement last reached the first announcer, in units; −1 before. */
  announcementReturnedAt: number;
  /**
   * By position: 1 for nodes that have announced, on an overlay of rings, where several may. `announcementReturnedAt` is then
   * when an announcement last reached one of them. Null on other networks.
   */
  readonly announcers: Uint8Array | null;
}

export function noteAnnouncer(tally: Tally, at: number): void {
  if (tally.announcer === NONE) tally.announcer = at;
  if (tally.announcers !== null) tally.announcers[at] = 1;
}

/** `time` is in units. */
export function noteAnnounced(tally: Tally, at: number, time: number): void {
  if (tally.announcers === null ? tally.announcer === at : tally.announcers[at] === 1)
    tally.announcementReturnedAt = time;
}
