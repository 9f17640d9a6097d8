/** Worker threads for the searches of `hustings check`. */
import type { SearchThreads } from '../../checker/index.ts';
import { startThread } from '../../threads/search-thread.ts';
import type { SearchWork } from './search-worker.ts';

/** `name` is the algorithm as on the command line. */
export function searchThreads(name: string, cores: number): SearchThreads {
  return {
    cores,
    start(task) {
      const work: SearchWork = { name, task };
      return startThread(new URL('./search-worker.js', import.meta.url), work);
    },
  };
}
