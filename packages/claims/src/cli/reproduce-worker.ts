/** One thread of a reproduction: measures one study at a time, given by its index. */
import { workerData } from 'node:worker_threads';
import { serveTasks } from '@hustings/study/internal/cli/workers/task-thread';
import { type ExperimentOptions, measureStudy, type StudyResult } from '../index.ts';

/** The data that a thread gets when it starts. */
export type ReproduceWork = ExperimentOptions;

serveTasks<number, StudyResult>(async () => {
  const options: ReproduceWork = workerData;
  return (index) => measureStudy(index, options);
});
