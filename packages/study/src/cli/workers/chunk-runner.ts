/** Runs chunks of a sweep. The handlers of a user's algorithm are watched; those of this package are known to return. */
import {
  type CellTally,
  runChunk,
  type StepDriver,
  type SweepChunk,
  type SweepPlan,
} from '../../sweep/index.ts';
import { isPath } from '../flags/algorithm-name.ts';
import { giveUp, handlerLimitMs } from '../user-file/run-watched.ts';
import { watch } from '../user-file/watchdog.ts';

export function chunkRunner(plan: SweepPlan): (chunk: SweepChunk) => CellTally {
  return (chunk) => {
    const { calledAs } = plan.cells[chunk.cell].series.run;
    return runChunk(plan, chunk, isPath(calledAs ?? '') ? stepWithWatchdog : undefined);
  };
}

/** A watchdog takes longer to set up than a small run takes: many runs share one. */
const WATCHED_MS = 20;

const stepWithWatchdog: StepDriver = (step, current) => {
  const stepForAWhile = (): boolean => {
    const endMs = performance.now() + WATCHED_MS;
    let isOver = step();
    while (!isOver && performance.now() < endMs) isOver = step();
    return isOver;
  };
  for (let isOver = false; !isOver; ) {
    const limitMs = Math.ceil(handlerLimitMs(current().plan.nodes));
    const watched = watch(stepForAWhile, WATCHED_MS + limitMs);
    if (!watched.ended) giveUp(current(), limitMs, watched.wasBusy);
    isOver = watched.value;
  }
};
