/** What the bullies take for granted: processes that all know one another, crash and recover, and answer in time. */
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
  timeout: integer('units after which a process that has not answered counts as dead', {
    min: 1,
    max: 1_000_000,
    byDefault: 2,
  }),
};
