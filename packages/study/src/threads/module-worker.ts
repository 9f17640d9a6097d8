/** One thread of a search whose algorithm is the export of a module. */
import { workerData } from 'node:worker_threads';
import type { ThreadTask } from '../checker/index.ts';
import { serveThread } from './search-thread.ts';

export interface ModuleWork {
  readonly module: string;
  readonly name: string;
  readonly task: ThreadTask;
}

const { module, name, task }: ModuleWork = workerData;
const exported = await import(module);
serveThread(exported[name], task);
