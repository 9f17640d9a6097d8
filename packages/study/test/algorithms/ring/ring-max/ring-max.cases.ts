import { type Cases, everything } from '../../cases.ts';

export const cases: Cases = {
  refuses: 'network ids timing duplication partition',
  run: { nodes: 5, initiators: [0, 2], crash: [{ position: 3, time: 0 }] },
  searches: [
    { nodes: 4, ...everything },
    { nodes: 3, order: 'descending', initiators: 'subsets', losses: 2 },
  ],
};
