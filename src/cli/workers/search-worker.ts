/** One thread of a parallel search. */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { DEFAULT_CHECK_NODES, serveTask } from '../../checker/index.ts';
import { resolveSetup } from '../../kernel/driver.ts';
import { resolveAlgorithm } from '../flags/algorithm-name.ts';
import type { SearchWork } from './search-threads.ts';

const { name, options, task }: SearchWork = workerData;
const setup = resolveSetup(await resolveAlgorithm(name), options, DEFAULT_CHECK_NODES);
serveTask(setup, options, task, () => {
  if (parentPort === null) return null;
  return receiveMessageOnPort(parentPort)?.message ?? null;
});
