/** One thread of a parallel search. */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { type CheckOptions, DEFAULT_CHECK_NODES, serveTask, type ThreadTask } from '../../checker/index.ts';
import { resolveSetup } from '../../kernel/driver.ts';
import { resolveAlgorithm } from '../flags/algorithm-name.ts';

export interface SearchWork {
  /** The algorithm as on the command line. */
  readonly name: string;
  readonly options: CheckOptions;
  readonly task: ThreadTask;
}

const { name, options, task }: SearchWork = workerData;
const setup = resolveSetup(await resolveAlgorithm(name), options, DEFAULT_CHECK_NODES);
serveTask(setup, options, task, () => {
  if (parentPort === null) return null;
  return receiveMessageOnPort(parentPort)?.message ?? null;
});
