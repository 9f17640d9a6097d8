/** The model of the bully algorithms: a complete network, crash-recovery, and bounded delay. */
import { integer } from '../../kernel/index.ts';

export const assumes = {
  network: 'complete',
  timing: 'bounded-delay',
  ids: 'unique',
  fifo: false,
  knows: ['neighbours'],
  faults: ['crash', 'recover', 'duplication'],
} as const;

export const params = {
  timeout: integer('units after which a process that has not answered is considered crashed', {
    min: 1,
    max: 1_000_000,
    byDefault: 2,
  }),
};
