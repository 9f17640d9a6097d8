/** The verb of the lab. */
import type { VerbTable } from '../../base/command/verb.ts';

const group = 'Algorithms:';

export const LAB_VERBS: VerbTable = {
  lab: {
    group,
    summary: 'watch, break, check and write elections in the browser',
    load: async () => (await import('./lab.ts')).addLab,
  },
};
