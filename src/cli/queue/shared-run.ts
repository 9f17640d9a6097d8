/**
 * Runs work on the machines of a queue, from the command that wants its result.
 *
 * Guarantees: the merged parts are those of one core. If this process is killed, the work goes on, and the same command
 * finds it again within KEEP_MS. Ctrl-C cancels the work; SIGTERM leaves it to the workers.
 */
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '../../lease/core/store-error.ts';
import { EnvironmentError } from '../exit.ts';
import { CANCELED, stoppable } from '../stop-signal.ts';
import { fromWorkerError } from '../workers/worker-error.ts';
import { range } from './batch-ledger.ts';
import { type BatchState, BatchStore } from './batch-store.ts';
import { Coordinator } from './coordinator.ts';
import { NoticeLog, noticesForCommand } from './notices.ts';
import { Presence } from './presence.ts';
import { QueueConnection, queueOf } from './queue-connection.ts';
import { jobId } from './queue-keys.ts';
import { hasFiles, type MergedParts, type SharedWork } from './shared-work.ts';

const POLL_MS = 100;
const PARTS_MS = 1_000;
/** How long a result stays after a command has taken it, for another command that waits for it. */
const DELIVERED_MS = 600_000;

/** Calls `onParts` about once per second and at the end. Returns the exit code of the signal that stopped it, or null. */
export async function runShared(
  url: string,
  work: SharedWork,
  onParts: (parts: MergedParts) => void,
): Promise<number | null> {
  const connection = await QueueConnection.open(url);
  const notices = new NoticeLog();
  connection.onTrouble = (error) => notices.trouble(error);
  const shared = new SharedRun(connection, work, onParts);
  const presence = presenceOf(connection, hasFiles(work), notices);
  const ending = new AbortController();
  let coordination: Promise<void> = Promise.resolve();
  try {
    const isNew = await shared.open();
    if (!isNew) notices.print('the queue has this work already; this command waits for its result');
    presence.start();
    coordination = new Coordinator(connection, () => presence.cores()).campaign(ending.signal);
    // Coordination ends before the work only with an error.
    const work = Promise.race([shared.wait(), coordination.then(() => new Promise<void>(() => {}))]);
    const stopped = await stoppable(work, () => shared.stop());
    if (stopped !== null) await shared.leave(stopped, notices);
    return stopped;
  } finally {
    ending.abort();
    await Promise.allSettled([coordination, presence.stop()]);
    await connection.close();
  }
}

function presenceOf(connection: QueueConnection, withFiles: boolean, notices: NoticeLog): Presence {
  const { build, label } = connection;
  const self = { type: 'command', id: `${hostname()}-${process.pid}`, files: withFiles, cores: 0 } as const;
  let isFirst = true;
  return new Presence(connection, self, (all) => {
    // A worker may start at the same time.
    if (!isFirst)
      for (const line of noticesForCommand({ build, label, hasFiles: withFiles }, all)) notices.print(line);
    isFirst = false;
  });
}

class SharedRun {
  private readonly connection: QueueConnection;
  private readonly store: BatchStore;
  private readonly work: SharedWork;
  private readonly onParts: (parts: MergedParts) => void;
  private name = '';
  private isStopped = false;

  constructor(connection: QueueConnection, work: SharedWork, onParts: (parts: MergedParts) => void) {
    this.connection = connection;
    this.store = new BatchStore(connection);
    this.work = work;
    this.onParts = onParts;
  }

  async open(): Promise<boolean> {
    const { name, isNew } = await this.store.open(this.work);
    this.name = name;
    return isNew;
  }

  stop(): void {
    this.isStopped = true;
  }

  /** Resolves when the work is done or stopped; rejects with its error. */
  async wait(): Promise<void> {
    let shownMs = Number.NEGATIVE_INFINITY;
    let merged = 0;
    while (!this.isStopped) {
      const state = await this.patiently(() => this.state());
      if (state === undefined) continue;
      if (hasEnded(state)) break;
      if (state.merged > merged && performance.now() - shownMs > PARTS_MS) {
        merged = state.merged;
        await this.show();
        shownMs = performance.now();
      }
      await sleep(POLL_MS);
    }
    while (!(await this.show()) && !this.isStopped);
    if (this.isStopped) return;
    const { keys } = this.connection;
    await this.connection.redis((redis) => redis.pexpire(keys.batch(this.name), DELIVERED_MS));
  }

  /** After a signal. */
  async leave(exitCode: number, notices: NoticeLog): Promise<void> {
    if (exitCode === CANCELED) await this.cancel();
    else notices.print('the work stays in the queue; the same command finds its results for 24 hours');
  }

  private async state(): Promise<BatchState> {
    const state = await this.store.state(this.name);
    if (state !== null) return state;
    throw new EnvironmentError('the queue has lost this work; run the command again');
  }

  private async cancel(): Promise<void> {
    const state = await this.state();
    if (!(await this.store.cancel(this.name))) return;
    // A job that the coordinator hands out at this moment is removed by it, or dropped by its worker.
    const ids = range(state.merged, state.handed).map((job) => jobId(this.name, job));
    await this.connection.removeJobs(queueOf(hasFiles(this.work)), ids);
  }

  /** False if the server does not answer now. */
  private async show(): Promise<boolean> {
    const parts = await this.patiently(() => this.store.parts(this.name, this.work.type));
    if (parts !== undefined) this.onParts(parts);
    return parts !== undefined;
  }

  /** Undefined if the server does not answer now. */
  private async patiently<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreError) || !['unreachable', 'busy'].includes(error.kind)) throw error;
      this.connection.onTrouble(error);
      await sleep(POLL_MS);
      return undefined;
    }
  }
}

/** Throws the error of a batch that failed. */
function hasEnded(state: BatchState): boolean {
  if (state.status === 'cancelled') {
    throw new EnvironmentError('another command has cancelled this work; run the command again');
  }
  if (state.error !== null) throw fromWorkerError(state.error);
  return state.status === 'done';
}
