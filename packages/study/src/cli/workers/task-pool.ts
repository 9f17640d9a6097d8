/**
 * Threads that share tasks: each takes the next task when it has finished one.
 *
 * Guarantees: `run` settles when all tasks are done, at the first error of a thread, or after `stop`, and no thread
 * remains. `done` is called for finished tasks only: tasks in progress at a stop are lost.
 */
import { Worker } from 'node:worker_threads';
import { EnvironmentError } from '@hustings/base';
import { fromWorkerError, type WorkerError } from './worker-error.ts';

/** The message of a thread after a task. */
export type Answer<Task, Result> =
  | { readonly task: Task; readonly result: Result; readonly tookMs: number }
  | { readonly error: WorkerError };

export class TaskPool<Task, Result> {
  private readonly threads: readonly Worker[];
  private end: (error?: unknown) => void = () => {};

  /** `worker` is the compiled file of the threads; `data` is their workerData. */
  constructor(worker: URL, cores: number, data: unknown) {
    this.threads = Array.from({ length: cores }, () => new Worker(worker, { workerData: data }));
  }

  async run(
    tasks: Iterator<Task>,
    done: (task: Task, result: Result, tookMs: number) => void,
  ): Promise<void> {
    let working = this.threads.length;
    try {
      await new Promise<void>((resolve, reject) => {
        this.end = (error) => (error === undefined ? resolve() : reject(error));
        for (const thread of this.threads) {
          const takeNext = (): void => {
            const next = tasks.next();
            if (!next.done) thread.postMessage(next.value);
            else if (--working === 0) resolve();
          };
          thread.on('message', (answer: Answer<Task, Result>) => {
            try {
              if ('error' in answer) throw fromWorkerError(answer.error);
              done(answer.task, answer.result, answer.tookMs);
              takeNext();
            } catch (error) {
              reject(error);
            }
          });
          thread.on('error', (error) => reject(fatal(error)));
          thread.on('exit', () =>
            reject(new EnvironmentError('a worker thread ended unexpectedly; run it again')),
          );
          takeNext();
        }
      });
    } finally {
      await Promise.all(
        this.threads.map((thread) => {
          thread.removeAllListeners();
          return thread.terminate();
        }),
      );
    }
  }

  stop(): void {
    this.end();
  }
}

/** Translates the error that ended a thread. */
export function fatal(error: Error & { code?: unknown }): Error {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  return new EnvironmentError('the runs need more memory than there is: take fewer nodes or cores', error);
}
