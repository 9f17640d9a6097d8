/** The verb of the lab. */
import type { VerbTable } from '@hustings/base/command/verb';

const group = 'Algorithms:';

export const verbs: VerbTable = {
  lab: {
    group,
    summary: 'watch, break, check and write elections in the browser',
    load: async () => (await import('./lab.ts')).addLab,
  },
};
