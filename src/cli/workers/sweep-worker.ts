/** One thread of a sweep: makes the same plan from the flags, and runs one chunk at a time. */
import { workerData } from 'node:worker_threads';
import type { Run } from '../../simulator/index.ts';
import {
  type CellTally,
  planSweep,
  runChunk,
  type SweepChunk,
  type SweepOptions,
} from '../../sweep/index.ts';
import { isPath, resolveAlgorithm } from '../flags/algorithm-name.ts';
import { giveUp, handlerLimitMs } from '../user-file/run-watched.ts';
import { watch } from '../user-file/watchdog.ts';
import { serveTasks } from './task-thread.ts';

export interface SweepWork {
  readonly names: readonly string[];
  readonly options: SweepOptions;
}

/** For a user's algorithm: the handlers of this package are known to return. */
function runWithWatchdog(run: Run): void {
  const limitMs = Math.ceil(handlerLimitMs(run.plan.nodes));
  for (;;) {
    const watched = watch(() => run.advance(), limitMs);
    if (!watched.ended) giveUp(run, limitMs, watched.wasBusy);
    if (watched.value) return;
  }
}

serveTasks<SweepChunk, CellTally>(async () => {
  const { names, options }: SweepWork = workerData;
  const plan = planSweep(await Promise.all(names.map(resolveAlgorithm)), options);
  return (chunk) => {
    const { calledAs } = plan.cells[chunk.cell].series.run;
    return runChunk(plan, chunk, isPath(calledAs ?? '') ? runWithWatchdog : undefined);
  };
});
