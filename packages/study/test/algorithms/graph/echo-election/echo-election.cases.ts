import { type Cases, everything } from '../../cases.ts';

export const cases: Cases = {
  refuses: 'ids crash loss duplication partition',
  run: { nodes: 5, topology: 'ring', initiators: [0, 2] },
  breaks: { topology: 'line' },
  searches: [
    { nodes: 3, topology: 'complete', ...everything },
    { nodes: 4, topology: 'ring', initiators: 'subsets' },
    { nodes: 3, topology: 'complete', ...everything, set: { announce: 'echo' } },
  ],
};
