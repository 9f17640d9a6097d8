import { type Cases, everything } from '../../cases.ts';

export const cases: Cases = {
  refuses: 'ids fifo crash loss duplication partition',
  searches: [
    { nodes: 3, topology: 'complete', ...everything },
    { nodes: 4, topology: 'ring', ...everything },
  ],
};
