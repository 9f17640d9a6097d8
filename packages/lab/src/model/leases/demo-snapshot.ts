/** What the page knows about the demo: its processes, the faults so far, and the two resources. */

/** What a process of the demo does. Blocked: it runs, but every call to the store fails. */
export type ProcessCondition = 'running' | 'paused' | 'blocked' | 'ended';

/** What a user may do to a process of the demo. */
export type DemoAction = 'pause' | 'resume' | 'block' | 'unblock' | 'kill' | 'restart';

/** The actions that apply in each condition, the first one is the way back if there is one. */
export const ACTIONS: Readonly<Record<ProcessCondition, readonly DemoAction[]>> = {
  running: ['pause', 'block', 'kill'],
  paused: ['resume', 'kill'],
  blocked: ['unblock', 'kill'],
  ended: ['restart'],
};

/** One candidate process of the demo. */
export interface DemoProcess {
  readonly id: string;
  /** Null after it has ended. */
  readonly pid: number | null;
  readonly condition: ProcessCondition;
  /** The token under which the process works, as it last said; null if it did not work then. */
  readonly token: string | null;
  /** When the store last granted it a lease or a renewal, as it said; null before the first. */
  readonly renewedMs: number | null;
  /** Why it ended by itself; null otherwise. */
  readonly problem: string | null;
}

/** A fault, or its end. Ended: the process has ended and nobody pressed Kill. */
export type DemoFaultType = 'paused' | 'resumed' | 'blocked' | 'unblocked' | 'killed' | 'ended' | 'restarted';

/** Something that happened to a process of the demo. */
export interface DemoFault {
  readonly id: string;
  readonly type: DemoFaultType;
  readonly atMs: number;
}

/**
 * A write to a resource. Late: the write went through after a write with a newer token. Refused: the fence had seen a newer
 * token, and the resource did not change.
 */
export interface ResourceWrite {
  /** Counts the writes of this resource, refused ones included. */
  readonly index: number;
  readonly token: string;
  readonly id: string;
  /** Counts the entries of one process. */
  readonly entry: number;
  readonly atMs: number;
  readonly outcome: 'written' | 'late' | 'refused';
  /** The newest token that the resource had seen. */
  readonly newest: string;
}

/** A resource of the demo. */
export interface DemoResource {
  /** Writes that went through. */
  readonly written: number;
  readonly late: number;
  readonly refused: number;
  /** The newest writes, newest first. */
  readonly latest: readonly ResourceWrite[];
  /** The newest writes that were late or refused, newest first. */
  readonly notable: readonly ResourceWrite[];
}

/** The demo at one moment. Times are milliseconds since 1970 on the clock of this host. */
export interface DemoSnapshot {
  readonly processes: readonly DemoProcess[];
  /** The newest first. */
  readonly faults: readonly DemoFault[];
  /** Each write presents its token, and a fence checks it. */
  readonly ledger: DemoResource;
  /** The same writes without a fence. */
  readonly file: DemoResource;
}
