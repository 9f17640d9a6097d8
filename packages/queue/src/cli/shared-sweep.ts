/** A sweep on the machines of a queue. */

import { isPath } from '@hustings/study/internal/cli/flags/algorithm-name';
import type { SweepWork } from '@hustings/study/internal/cli/workers/sweep-worker';
import { type SweepPlan, SweepTally } from '@hustings/study/sweep';
import type { SharedSweep } from '../shared-work.ts';
import { runOnQueue } from './queue-run.ts';

/** Calls `onTally` with the runs so far. Returns the exit code of the signal that stopped it, or null. */
export async function runSharedSweep(
  url: string,
  plan: SweepPlan,
  { names, options }: SweepWork,
  onTally: (tally: SweepTally) => void,
): Promise<number | null> {
  // Loaded on use: a user's file may import the whole package.
  const carry = async (path: string) =>
    (await import('@hustings/study/internal/cli/user-file/algorithm-file')).carryFile(path);
  const work: SharedSweep = {
    type: 'sweep',
    names,
    options,
    files: await Promise.all(names.filter(isPath).map(carry)),
    cells: plan.cells.map(({ n }) => n),
    runs: plan.runs,
  };
  return runOnQueue(url, work, (parts) => onTally(new SweepTally(plan, parts.cells)));
}
