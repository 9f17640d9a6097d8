/** The thread's side of a task pool: executes one task at a time, and answers with its result or its error. */
import { parentPort } from 'node:worker_threads';
import type { Answer } from './task-pool.ts';
import { toWorkerError } from './worker-error.ts';

/** `prepare` runs once, before the first task, and returns the function that executes tasks. */
export function serveTasks<Task, Result>(prepare: () => Promise<(task: Task) => Result>): void {
  const reply = (answer: Answer<Task, Result>): void => parentPort?.postMessage(answer);
  const prepared = prepare();
  prepared.catch((error) => reply({ error: toWorkerError(error) }));
  parentPort?.on('message', async (task: Task) => {
    try {
      const work = await prepared;
      const startMs = performance.now();
      reply({ task, result: work(task), tookMs: performance.now() - startMs });
    } catch (error) {
      reply({ error: toWorkerError(error) });
    }
  });
}
