/** The state of an elector at one moment, for the health endpoint of a service. Plain data, which JSON can hold. */

/**
 * idle: no `campaign`, `runOnce` or `acquire` is under way. waiting: the candidate waits for leadership. leading: the work may
 * run. stopping: the work was told to stop and still runs, or its lease is being released. overdue: the work still runs although
 * its deadline has passed. closed: the elector was closed.
 */
export type ElectorState = 'idle' | 'waiting' | 'leading' | 'stopping' | 'overdue' | 'closed';

/** What `elector.health()` returns. */
export interface ElectorHealth {
  /**
   * False if the candidate takes no part in the election until somebody acts: it is overdue or closed, or the store
   * rejects its requests with an error that lasts until then (`denied`, `unprepared` or `unusable`); the elector asks again.
   * A store that is unreachable or busy leaves it true, because a restart does not help.
   */
  readonly healthy: boolean;
  /** Why it is not healthy, in one line; null if it is. */
  readonly problem: string | null;
  /** What the candidate does. */
  readonly state: ElectorState;
  /** When the state began, in milliseconds since 1970. */
  readonly sinceMs: number;
  /** For how long the work has run past its deadline; 0 if it does not. */
  readonly overdueMs: number;
  /** How long ago the store last answered this elector; null if it never has. */
  readonly answeredAgoMs: number | null;
}
