/**
 * The threads of a worker of a queue. Each computes one job at a time; a thread that ends is replaced.
 *
 * Guarantees: `compute` settles with the result of the job, or null if its signal aborted; then its thread has ended.
 */
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { EnvironmentError } from '@hustings/base';
import { fatal } from '@hustings/study/internal/cli/workers/task-pool';
import { toWorkerError } from '@hustings/study/internal/cli/workers/worker-error';
import type { JobComputer, JobRequest, JobResult } from '../job.ts';
import type { ThreadData } from './queue-thread.ts';

const THREAD = fileURLToPath(new URL('./queue-thread.js', import.meta.url));

export class ThreadPool implements JobComputer {
  private readonly idle: Worker[] = [];
  private readonly waiting: (() => void)[] = [];
  private readonly data: ThreadData;
  private free: number;

  constructor(cores: number, data: ThreadData) {
    this.free = cores;
    this.data = data;
  }

  async compute(request: JobRequest, signal: AbortSignal): Promise<JobResult | null> {
    if (this.free === 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.free--;
    try {
      return signal.aborted ? null : await this.onThread(request, signal);
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free++;
      else next();
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.idle.splice(0).map((thread) => thread.terminate()));
  }

  private async onThread(request: JobRequest, signal: AbortSignal): Promise<JobResult | null> {
    const thread = this.idle.pop() ?? new Worker(THREAD, { workerData: this.data });
    const ended = new AbortController();
    const result = await new Promise<JobResult | null>((resolve) => {
      const fail = (error: Error): void => resolve({ type: 'error', error: toWorkerError(error) });
      thread.on('message', resolve);
      thread.on('error', (error: Error) => fail(fatal(error)));
      thread.on('exit', () => fail(new EnvironmentError('a worker thread ended unexpectedly; run it again')));
      signal.addEventListener('abort', () => resolve(null), { signal: ended.signal });
      thread.postMessage(request);
    });
    ended.abort();
    // By name: a thread whose internal listeners are removed too delivers no further message.
    for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event);
    if (result?.type === 'parts') this.idle.push(thread);
    else await thread.terminate();
    return result;
  }
}
