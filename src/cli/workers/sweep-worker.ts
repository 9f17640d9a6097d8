/** One thread of a sweep: makes the plan again from the words, and runs the chunks that it is given, one at a time. */
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

/** Handlers that come with the package are known to return; a user's own are watched. */
function takeToEnd(run: Run): void {
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
    return runChunk(plan, chunk, isPath(calledAs ?? '') ? takeToEnd : undefined);
  };
});
