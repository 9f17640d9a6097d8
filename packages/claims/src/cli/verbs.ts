/** The verb of the claims. */
import type { VerbTable } from '@hustings/base/command/verb';

const group = 'Algorithms:';

export const verbs: VerbTable = {
  reproduce: {
    group,
    summary: 'measure the claims of the sources, and print one report',
    load: async () => (await import('./reproduce.ts')).addReproduce,
  },
};
