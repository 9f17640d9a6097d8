/** Runs chunks of a sweep. The handlers of a user's algorithm are watched; those of this package are known to return. */
import type { Run } from '../../simulator/index.ts';
import { type CellTally, runChunk, type SweepChunk, type SweepPlan } from '../../sweep/index.ts';
import { isPath } from '../flags/algorithm-name.ts';
import { giveUp, handlerLimitMs } from '../user-file/run-watched.ts';
import { watch } from '../user-file/watchdog.ts';

export function chunkRunner(plan: SweepPlan): (chunk: SweepChunk) => CellTally {
  return (chunk) => {
    const { calledAs } = plan.cells[chunk.cell].series.run;
    return runChunk(plan, chunk, isPath(calledAs ?? '') ? runWithWatchdog : undefined);
  };
}

function runWithWatchdog(run: Run): void {
  const limitMs = Math.ceil(handlerLimitMs(run.plan.nodes));
  for (;;) {
    const watched = watch(() => run.advance(), limitMs);
    if (!watched.ended) giveUp(run, limitMs, watched.wasBusy);
    if (watched.value) return;
  }
}
