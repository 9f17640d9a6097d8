/** Worker threads for the searches of `hustings check`. */
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { CheckOptions, SearchThread, SearchThreads } from '../../checker/index.ts';
import type { SearchWork } from './search-worker.ts';

/** `name` is the algorithm as on the command line. */
export function searchThreads(name: string, options: CheckOptions, cores: number): SearchThreads {
  const file = fileURLToPath(new URL('./search-worker.js', import.meta.url));
  return {
    cores,
    start(task): SearchThread {
      const work: SearchWork = { name, options, task };
      const worker = new Worker(file, { workerData: work });
      worker.unref();
      // A thread that fails is not ready, or stops answering: the search goes on without it, and meets the error itself.
      worker.on('error', () => {});
      return {
        send: (memory) => worker.postMessage(memory),
        end: () => {
          worker.terminate();
        },
      };
    },
  };
}
