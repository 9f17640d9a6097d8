import { type Cases, everything } from '../../cases.ts';

export const cases: Cases = {
  refuses: 'network ids fifo crash loss duplication partition',
  searches: [{ nodes: 6, ...everything }],
};
