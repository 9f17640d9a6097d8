/**
 * Threads that share tasks: each takes the next one when it has done the last.
 *
 * Guarantees: `run` settles when all tasks are done, with the first error of a thread, or when `stop` was called; no
 * thread is left then. What was under way at the stop is lost: `done` has heard of whole tasks only.
 */
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { EnvironmentError } from '../exit.ts';
import { fromWorkerError, type WorkerError } from './worker-error.ts';

/** What a thread answers. */
export type Answer<Task, Result> =
  | { readonly task: Task; readonly result: Result; readonly tookMs: number }
  | { readonly error: WorkerError };

export class TaskPool<Task, Result> {
  private readonly threads: readonly Worker[];
  private end: (error?: unknown) => void = () => {};

  /** `worker` is the compiled file that a thread runs, beside this one; it finds `data` in its workerData. */
  constructor(worker: string, cores: number, data: unknown) {
    const file = fileURLToPath(new URL(`./${worker}`, import.meta.url));
    this.threads = Array.from({ length: cores }, () => new Worker(file, { workerData: data }));
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
          const goOn = (): void => {
            const next = tasks.next();
            if (!next.done) thread.postMessage(next.value);
            else if (--working === 0) resolve();
          };
          thread.on('message', (answer: Answer<Task, Result>) => {
            try {
              if ('error' in answer) throw fromWorkerError(answer.error);
              done(answer.task, answer.result, answer.tookMs);
              goOn();
            } catch (error) {
              reject(error);
            }
          });
          thread.on('error', (error) => reject(fatal(error)));
          thread.on('exit', () => reject(new EnvironmentError('expected a thread to stay, but it ended')));
          goOn();
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

/** What ended a thread. */
function fatal(error: Error & { code?: unknown }): Error {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  return new EnvironmentError(
    'expected enough memory for the runs, got too little: take fewer nodes or cores',
    error,
  );
}
