/**
 * The clock by which a member leads. It runs at least as fast as the monotonic clock, and goes on while the machine sleeps,
 * when that one may stand still: between two readings it advances as the clock that has advanced more.
 *
 * A wall clock that is set ahead ends a lead early, which is safe. One that is set back changes nothing. Nothing that binds
 * a member to another leader may be counted by this clock.
 */

/** The part of a lease that a leader does not use: clock rates differ, and time passes from a look at it to what depends on it. */
export const LEAD_MARGIN = 0.1;

/** Two clocks are not read at the same moment, and one counts whole milliseconds. */
const RESOLUTION_MS = 10;

export function leadClock(monoMs: () => number, wallMs: () => number): () => number {
  let aheadMs = wallMs() - monoMs();
  let addedMs = 0;
  return () => {
    const mono = monoMs();
    const nowAheadMs = wallMs() - mono;
    if (nowAheadMs - aheadMs > RESOLUTION_MS) addedMs += nowAheadMs - aheadMs;
    aheadMs = nowAheadMs;
    return mono + addedMs;
  };
}
