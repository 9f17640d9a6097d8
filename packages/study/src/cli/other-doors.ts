/** What verbs of this package use of other packages, if these are installed. */
import { loadDoor } from '@hustings/base/command/other-package';
import type { SweepPlan, SweepTally } from '../sweep/index.ts';
import type { SweepWork } from './workers/sweep-worker.ts';

/** What `sweep --queue` uses of @hustings/queue. */
export interface SweepQueue {
  /** `given` is true for a flag without a value. */
  readonly queueUrlOf: (given: string | true) => string;
  /** Calls `onTally` with the runs so far. Returns the exit code of the signal that stopped it, or null. */
  readonly runSharedSweep: (
    url: string,
    plan: SweepPlan,
    work: SweepWork,
    onTally: (tally: SweepTally) => void,
  ) => Promise<number | null>;
}

/** What `replay DIR` uses of @hustings/cluster. */
export interface ClusterRecordings {
  readonly replayFolder: (path: string, flags: FolderFlags) => Promise<void>;
}

export interface FolderFlags {
  readonly algorithm?: string | undefined;
  readonly json?: boolean | undefined;
  readonly shiviz?: string | undefined;
}

export async function sweepQueue(): Promise<SweepQueue> {
  return (await loadDoor('@hustings/queue', './shared', "'--queue'")).queue as SweepQueue;
}

export async function clusterRecordings(): Promise<ClusterRecordings> {
  const door = await loadDoor('@hustings/cluster', './recordings', 'a folder with recordings');
  return door as unknown as ClusterRecordings;
}
