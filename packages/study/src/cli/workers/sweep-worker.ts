/** One thread of a sweep: makes the same plan from the flags, and runs one chunk at a time. */
import { workerData } from 'node:worker_threads';
import { type CellTally, planSweep, type SweepChunk, type SweepOptions } from '../../sweep/index.ts';
import { resolveAlgorithm } from '../flags/algorithm-name.ts';
import { chunkRunner } from './chunk-runner.ts';
import { serveTasks } from './task-thread.ts';

export interface SweepWork {
  readonly names: readonly string[];
  readonly options: SweepOptions;
}

serveTasks<SweepChunk, CellTally>(async () => {
  const { names, options }: SweepWork = workerData;
  return chunkRunner(planSweep(await Promise.all(names.map(resolveAlgorithm)), options));
});
