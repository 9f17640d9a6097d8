/** The verbs of sweeps on several machines. */
import type { VerbTable } from '@hustings/base/command/verb';

const group = 'Algorithms:';

export const verbs: VerbTable = {
  worker: {
    group,
    summary: 'compute sweeps of other machines',
    load: async () => (await import('./commands/worker.ts')).addWorker,
  },
  queue: {
    group,
    summary: 'list or cancel the work in a queue',
    load: async () => (await import('./commands/queue.ts')).addQueue,
  },
};
