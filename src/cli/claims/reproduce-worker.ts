/** One thread of a reproduction: measures one study at a time, given by its index. */
import { workerData } from 'node:worker_threads';
import { type ExperimentOptions, measureStudy, type StudyResult } from '../../reproduce/index.ts';
import { serveTasks } from '../study/workers/task-thread.ts';

/** The data that a thread gets when it starts. */
export type ReproduceWork = ExperimentOptions;

serveTasks<number, StudyResult>(async () => {
  const options: ReproduceWork = workerData;
  return (index) => measureStudy(index, options);
});
