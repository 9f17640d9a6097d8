/** The side of a thread that does tasks of a pool: one at a time, each answered by its result or its error. */
import { parentPort } from 'node:worker_threads';
import type { Answer } from './task-pool.ts';
import { toWorkerError } from './worker-error.ts';

/** `prepare` is run once, before the first task, and gives what does them. */
export function serveTasks<Task, Result>(prepare: () => Promise<(task: Task) => Result>): void {
  const tell = (answer: Answer<Task, Result>): void => parentPort?.postMessage(answer);
  const prepared = prepare();
  prepared.catch((error) => tell({ error: toWorkerError(error) }));
  parentPort?.on('message', async (task: Task) => {
    try {
      const work = await prepared;
      const startMs = performance.now();
      tell({ task, result: work(task), tookMs: performance.now() - startMs });
    } catch (error) {
      tell({ error: toWorkerError(error) });
    }
  });
}
