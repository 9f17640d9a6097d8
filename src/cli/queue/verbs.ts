/** The verbs of sweeps on several machines. */
import type { VerbTable } from '../../base/command/verb.ts';

const group = 'Algorithms:';

export const QUEUE_VERBS: VerbTable = {
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
