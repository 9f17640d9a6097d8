/** One thread of a parallel search. */
import { workerData } from 'node:worker_threads';
import type { ThreadTask } from '../../checker/index.ts';
import { serveThread } from '../../threads/search-thread.ts';
import { resolveAlgorithm } from '../flags/algorithm-name.ts';

export interface SearchWork {
  /** The algorithm as on the command line. */
  readonly name: string;
  readonly task: ThreadTask;
}

const { name, task }: SearchWork = workerData;
serveThread(await resolveAlgorithm(name), task);
