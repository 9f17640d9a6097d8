import { type Cases, everything } from '../../cases.ts';

export const cases: Cases = {
  searches: [
    { nodes: 4, topology: 'star', ...everything },
    { nodes: 4, topology: 'line', ...everything },
    { nodes: 5, topology: 'line', initiators: 'subsets' },
    { nodes: 7, topology: 'star' },
  ],
};
