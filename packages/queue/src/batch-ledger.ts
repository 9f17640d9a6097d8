/**
 * The coordinator's view of one batch: which jobs are handed out, and the merged parts.
 *
 * Guarantees: results are merged in the order of jobs, so the parts have the same bits whichever worker computed them, and
 * the error of a batch is that of its first job that fails, as on one core. Only a window of jobs is handed out, so the
 * memory in Redis does not grow with the batch.
 */
import type { Lead } from 'hustings/opentelemetry';
import type { Batch, BatchState, BatchStore } from './batch-store.ts';
import type { JobData } from './job.ts';
import { type QueueConnection, queueOf } from './queue-connection.ts';
import { type JobQueueName, jobId } from './queue-keys.ts';
import { hasFiles, type MergedParts, type Part, type SharedTask, tasksOf } from './shared-work.ts';

/** Jobs for each core of the workers that may be handed out and not merged. */
const JOBS_A_CORE = 4;
const MIN_WINDOW = 64;
/** The script of a fenced write takes some thousand arguments. */
const MAX_MERGED_AT_ONCE = 128;
const CHECK_LOST_MS = 10_000;
/** A job fails only if its result cannot be stored. */
const ATTEMPTS = 1_000_000;
const RETRY_MS = 1_000;

export class BatchLedger {
  private readonly connection: QueueConnection;
  private readonly store: BatchStore;
  private readonly batch: Batch;
  private readonly queue: JobQueueName;
  private readonly parts: MergedParts;
  private readonly tasks: Iterator<SharedTask>;
  private merged: number;
  private handed: number;
  private checkedMs = performance.now();

  private constructor(
    connection: QueueConnection,
    store: BatchStore,
    batch: Batch,
    state: BatchState,
    parts: MergedParts,
  ) {
    this.connection = connection;
    this.store = store;
    this.batch = batch;
    this.queue = queueOf(hasFiles(batch.work));
    this.parts = parts;
    this.merged = state.merged;
    this.handed = state.handed;
    this.tasks = tasksOf(batch.work);
    for (let task = 0; task < this.handed * batch.perJob; task++) this.tasks.next();
  }

  /** Null if Redis does not have the batch any more. */
  static async load(
    connection: QueueConnection,
    store: BatchStore,
    name: string,
  ): Promise<BatchLedger | null> {
    const batch = await store.batch(name);
    const state = await store.state(name);
    if (batch === null || state === null) return null;
    return new BatchLedger(connection, store, batch, state, await store.parts(name, batch.work.type));
  }

  /** Merges what has arrived, and hands out more. True if the batch is over. */
  async advance(lead: Lead, cores: number): Promise<boolean> {
    const state = await this.store.state(this.batch.name);
    if (state?.status !== 'running') return this.end();
    if (await this.collect(lead, state)) return this.end();
    await this.handOut(lead, state, Math.max(MIN_WINDOW, JOBS_A_CORE * cores));
    await this.replaceLost();
    return false;
  }

  /** True if that ended the batch. */
  private async collect(lead: Lead, { jobs }: BatchState): Promise<boolean> {
    const from = this.merged;
    const results = await this.store.results(this.batch.name, range(from, this.handed, MAX_MERGED_AT_ONCE));
    const changed = new Map<number, Part[1]>();
    let error: object | null = null;
    for (const result of results) {
      if (result === null) break;
      if (result.type === 'error') {
        error = result.error;
        break;
      }
      for (const part of result.parts) {
        this.parts.add(part);
        changed.set(part[0], part[1]);
      }
      this.merged++;
    }
    if (this.merged === from && error === null) return false;
    for (const index of changed.keys()) changed.set(index, this.parts.get(index));
    const end =
      error !== null
        ? { status: 'failed', error: JSON.stringify(error) }
        : this.merged === jobs
          ? { status: 'done' }
          : null;
    await this.store.save(lead, this.batch.name, { merged: this.merged, ...end }, changed);
    if (this.merged > from) await this.store.forgetResults(this.batch.name, range(from, this.merged));
    return end !== null;
  }

  /** After an error, the jobs before it still run: one of them may fail too. */
  private async handOut(lead: Lead, { jobs, failed }: BatchState, window: number): Promise<void> {
    const last = Math.min(jobs, failed ?? jobs, this.merged + window);
    if (this.handed >= last) return;
    const all = range(this.handed, last).map((job) => ({ batch: this.batch.name, job, tasks: this.take() }));
    lead.assert();
    await this.add(all);
    this.handed = last;
    await this.store.save(lead, this.batch.name, { handed: last });
  }

  private take(): SharedTask[] {
    const taken: SharedTask[] = [];
    while (taken.length < this.batch.perJob) {
      const next = this.tasks.next();
      if (next.done) break;
      taken.push(next.value);
    }
    return taken;
  }

  private async add(all: readonly JobData[]): Promise<void> {
    const { keys } = this.connection;
    const ids = all.map(({ batch, job }) => jobId(batch, job));
    await this.connection.jobs(this.queue, (queue) =>
      queue.addBulk(
        all.map((data, index) => ({
          name: 'tasks',
          data,
          opts: {
            jobId: ids[index],
            attempts: ATTEMPTS,
            backoff: { type: 'fixed', delay: RETRY_MS },
            removeOnComplete: true,
            removeOnFail: true,
          },
        })),
      ),
    );
    await this.connection.touch([...keys.ofBull(), ...ids.map((id) => keys.job(this.queue, id))]);
  }

  /** Hands jobs out again that Redis has lost: it may restart with an old snapshot. */
  private async replaceLost(): Promise<void> {
    if (performance.now() - this.checkedMs < CHECK_LOST_MS) return;
    this.checkedMs = performance.now();
    const { name, work, perJob } = this.batch;
    const jobs = range(this.merged, this.handed);
    const keys = jobs.map((job) => this.connection.keys.job(this.queue, jobId(name, job)));
    if (jobs.length === 0) return;
    const found = await this.connection.redis((redis) =>
      redis.pipeline(keys.map((key) => ['exists', key])).exec(),
    );
    // After the jobs: a job that ends in between has a result by now.
    const results = await this.store.results(name, jobs);
    const lost = jobs.filter((_, index) => Number(found?.[index][1]) === 0 && results[index] === null);
    if (lost.length === 0) return;
    const tasks = [...tasksBetween(work, lost[0] * perJob, (lost[lost.length - 1] + 1) * perJob)];
    await this.add(
      lost.map((job) => {
        const first = (job - lost[0]) * perJob;
        return { batch: name, job, tasks: tasks.slice(first, first + perJob) };
      }),
    );
  }

  /** Removes the jobs that no worker has begun. */
  private async end(): Promise<true> {
    const { name } = this.batch;
    const ids = range(this.merged, this.handed).map((job) => jobId(name, job));
    await this.connection.removeJobs(this.queue, ids);
    await this.store.deactivate(name);
    return true;
  }
}

function* tasksBetween(work: Batch['work'], from: number, to: number): Generator<SharedTask> {
  let index = 0;
  for (const task of tasksOf(work)) {
    if (index >= to) return;
    if (index++ >= from) yield task;
  }
}

/** The numbers from `from` to before `to`, at most `most` of them. */
export function range(from: number, to: number, most = Number.POSITIVE_INFINITY): number[] {
  return Array.from({ length: Math.max(0, Math.min(to - from, most)) }, (_, index) => from + index);
}
