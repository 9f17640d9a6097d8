/**
 * A worker of a queue: takes jobs of its own build, has them computed, and stores their results.
 *
 * Guarantees: a job of a worker that dies is taken by another after at most LOCK_MS and CHECK_MS. A worker that is stopped
 * gives its jobs back at once. A worker computes files of users only if `allowFiles` is true.
 */
import { BatchStore } from './batch-store.ts';
import type { BullJob, BullWorker } from './bull-library.ts';
import type { JobComputer, JobData } from './job.ts';
import { pause } from './pause.ts';
import type { QueueConnection } from './queue-connection.ts';
import { JOB_QUEUES } from './queue-keys.ts';
import { describeWork, type SharedWork } from './shared-work.ts';

/** A worker renews the lock of a job twice in this time. */
const LOCK_MS = 10_000;
const CHECK_MS = 5_000;
/** A job has no fault in a machine that is switched off under it. */
const MAX_STALLS = 1_000_000;
const STATUS_MS = 2_000;
const MAX_KNOWN = 8;

interface Running {
  readonly batch: string;
  readonly ending: AbortController;
}

export interface QueueWorkerOptions {
  readonly cores: number;
  readonly allowFiles: boolean;
  readonly computer: JobComputer;
  /** Called with each batch at its first job. */
  readonly onBatch: (name: string, text: string) => void;
}

export class QueueWorker {
  private readonly connection: QueueConnection;
  private readonly store: BatchStore;
  private readonly options: QueueWorkerOptions;
  private readonly bulls: readonly BullWorker[];
  private readonly running = new Set<Running>();
  /** The works of the latest batches, as JSON. */
  private readonly works = new Map<string, string>();
  private readonly stopping = new AbortController();

  constructor(connection: QueueConnection, options: QueueWorkerOptions) {
    this.connection = connection;
    this.store = new BatchStore(connection);
    this.options = options;
    const names = options.allowFiles ? JOB_QUEUES : JOB_QUEUES.slice(0, 1);
    this.bulls = names.map((name) =>
      connection.worker(name, (job, token) => this.compute(job, token), {
        concurrency: options.cores,
        lockDuration: LOCK_MS,
        stalledInterval: CHECK_MS,
        maxStalledCount: MAX_STALLS,
      }),
    );
  }

  /** Ends jobs of batches that have ended, until `signal` aborts. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(STATUS_MS, signal);
      for (const batch of new Set([...this.running].map((each) => each.batch))) {
        const state = await this.store.state(batch).catch(() => undefined);
        if (state === undefined || state?.status === 'running') continue;
        for (const each of this.running) if (each.batch === batch) each.ending.abort();
      }
    }
  }

  /** Gives the jobs under way back. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.allSettled(this.bulls.map((bull) => bull.pause(true)));
    for (const { ending } of this.running) ending.abort();
    await Promise.allSettled(this.bulls.map((bull) => bull.close()));
    await this.options.computer.close();
  }

  private async compute(job: BullJob<JobData>, token: string | undefined): Promise<void> {
    const { batch, job: number, tasks } = job.data;
    await this.connection.touch(this.connection.keys.ofBull());
    const work = await this.workOf(batch);
    if (work === null) return;
    const running = { batch, ending: new AbortController() };
    this.running.add(running);
    if (this.stopping.signal.aborted) running.ending.abort();
    try {
      const result = await this.options.computer.compute({ batch, work, tasks }, running.ending.signal);
      if (result !== null) await this.store.storeResult(batch, number, result);
      else if (this.stopping.signal.aborted) {
        await job.moveToWait(token);
        throw this.connection.givenBack();
      }
    } finally {
      this.running.delete(running);
    }
  }

  /** Null if the batch has ended. */
  private async workOf(name: string): Promise<string | null> {
    const state = await this.store.state(name);
    if (state?.status !== 'running') return null;
    const known = this.works.get(name);
    if (known !== undefined) return known;
    const batch = await this.store.batch(name);
    if (batch === null) return null;
    const work = JSON.stringify(batch.work satisfies SharedWork);
    const [oldest] = this.works.keys();
    if (this.works.size >= MAX_KNOWN) this.works.delete(oldest);
    if (!this.works.has(name)) this.options.onBatch(name, describeWork(batch.work));
    this.works.set(name, work);
    return work;
  }
}
