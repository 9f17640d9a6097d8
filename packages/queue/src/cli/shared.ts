/** What verbs of other packages use of this one, if it is installed. */
import type { ReproductionQueue } from '@hustings/claims/internal/cli/reproduction-queue';
import type { SweepQueue } from '@hustings/study/internal/cli/other-doors';
import { runOnQueue } from './queue-run.ts';
import { queueUrlOf } from './queue-url.ts';
import { runSharedSweep } from './shared-sweep.ts';

export const queue: SweepQueue & ReproductionQueue = { queueUrlOf, runOnQueue, runSharedSweep };
