/** The verb of the claims. */
import type { VerbTable } from '../../base/command/verb.ts';

const group = 'Algorithms:';

export const CLAIMS_VERBS: VerbTable = {
  reproduce: {
    group,
    summary: 'measure the claims of the sources, and print one report',
    load: async () => (await import('./reproduce.ts')).addReproduce,
  },
};
