/** Worker threads of Node for check(): large searches use all cores. */
import { availableParallelism } from 'node:os';
import type { SearchThreads } from '../checker/index.ts';
import type { ModuleWork } from './module-worker.ts';
import { startThread } from './search-thread.ts';

/** Where a thread finds the algorithm. */
export interface AlgorithmModule {
  /** A module that the threads import: its URL, or the name of a package, such as '@hustings/study/algorithms'. */
  readonly module: string | URL;
  /** The name of its export. */
  readonly name: string;
  /** The number of threads, including the one that calls check(); by default one for each core. */
  readonly cores?: number | undefined;
}

/**
 * Threads for the option `threads` of check(). The export must be the algorithm that is checked: a thread with an algorithm of
 * another name takes no part. The other options must be such that they can be cloned, and a topology must be given by its name.
 */
export function moduleThreads({
  cores = availableParallelism(),
  module,
  name,
}: AlgorithmModule): SearchThreads {
  return {
    cores,
    start(task) {
      const work: ModuleWork = { module: String(module), name, task };
      return startThread(new URL('./module-worker.js', import.meta.url), work);
    },
  };
}
