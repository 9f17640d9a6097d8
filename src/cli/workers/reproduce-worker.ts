/** One thread of a reproduction: measures the studies that it is given, by their place in the list, one at a time. */
import { workerData } from 'node:worker_threads';
import { type ExperimentOptions, measureStudy, type StudyResult } from '../../reproduce/index.ts';
import { serveTasks } from './task-thread.ts';

/** What a thread is told when it starts. */
export type ReproduceWork = ExperimentOptions;

serveTasks<number, StudyResult>(async () => {
  const options: ReproduceWork = workerData;
  return (index) => measureStudy(index, options);
});
