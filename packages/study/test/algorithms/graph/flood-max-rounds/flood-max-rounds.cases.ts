import { type Cases, orders } from '../../cases.ts';

export const cases: Cases = {
  refuses: 'ids timing crash loss partition',
  searches: [
    { nodes: 7, topology: 'ring', ...orders },
    { nodes: 7, topology: 'line', ...orders },
  ],
};
