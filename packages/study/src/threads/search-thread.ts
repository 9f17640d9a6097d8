/** Both sides of a thread of a search in Node: the one that starts it, and the thread itself. */
import { parentPort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { type SearchThread, serveTask, type ThreadTask } from '../checker/index.ts';
import type { AnyAlgorithm } from '../kernel/index.ts';

/** Starts the thread of a file, which calls `serveThread`. `data` is its workerData. */
export function startThread(file: URL, data: unknown): SearchThread {
  const worker = new Worker(file, { workerData: data });
  worker.unref();
  // A thread that fails is not ready, or stops answering: the search goes on without it, and meets the error itself.
  worker.on('error', () => {});
  return {
    send: (memory) => worker.postMessage(memory),
    end: () => {
      worker.terminate();
    },
  };
}

/** Takes part in a search, in a worker thread; never returns. */
export function serveThread(algorithm: AnyAlgorithm, task: ThreadTask): never {
  return serveTask(algorithm, task, () => {
    if (parentPort === null) return null;
    return receiveMessageOnPort(parentPort)?.message ?? null;
  });
}
