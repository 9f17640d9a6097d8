import { type Cases, everything } from '../../cases.ts';

export const cases: Cases = {
  refuses: 'ids fifo crash loss duplication partition',
  run: { nodes: 5, topology: 'ring', initiators: [0, 2] },
  searches: [
    { nodes: 3, topology: 'complete', ...everything },
    { nodes: 4, topology: 'line', ...everything },
    { nodes: 4, topology: 'ring', initiators: 'subsets' },
  ],
};
