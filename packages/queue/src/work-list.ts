/** The works in a queue, of the build of the caller. */
import { range } from './batch-ledger.ts';
import { BatchStore } from './batch-store.ts';
import { type Participant, participants, serverMs } from './presence.ts';
import { type QueueConnection, queueOf } from './queue-connection.ts';
import type { QueuedWork } from './queue-event.ts';
import { jobId } from './queue-keys.ts';
import { describeWork, hasFiles } from './shared-work.ts';

/** A work with the kind of its queue. */
export interface ListedWork extends QueuedWork {
  readonly hasFiles: boolean;
}

/** The works that are not done, oldest first. */
export async function listWork(connection: QueueConnection): Promise<readonly ListedWork[]> {
  const store = new BatchStore(connection);
  const present = await participants(connection);
  const nowMs = await connection.redis(serverMs);
  const names = await store.active();
  const found = await Promise.all(names.map((name) => listed(store, name, present, nowMs)));
  return found.filter((each) => each !== null).sort((a, b) => b.ageMs - a.ageMs);
}

/** Null if it has ended. */
async function listed(
  store: BatchStore,
  name: string,
  present: readonly Participant[],
  nowMs: number,
): Promise<ListedWork | null> {
  const batch = await store.batch(name);
  const state = await store.state(name);
  if (batch === null || state?.status !== 'running') return null;
  return {
    id: name,
    work: describeWork(batch.work),
    jobs: state.jobs,
    done: state.merged,
    ageMs: nowMs - batch.createdMs,
    commands: present.filter(({ type, batch }) => type === 'command' && batch === name).length,
    hasFiles: hasFiles(batch.work),
  };
}

/** Removes its jobs. The description of the work, or null if the queue does not have it or it has ended. */
export async function cancelWork(connection: QueueConnection, name: string): Promise<string | null> {
  const store = new BatchStore(connection);
  const batch = await store.batch(name);
  const state = await store.state(name);
  if (batch === null || state === null || !(await store.cancel(name))) return null;
  // A job that the coordinator hands out at this moment is removed by it, or dropped by its worker.
  const ids = range(state.merged, state.handed).map((job) => jobId(name, job));
  await connection.removeJobs(queueOf(hasFiles(batch.work)), ids);
  return describeWork(batch.work);
}
