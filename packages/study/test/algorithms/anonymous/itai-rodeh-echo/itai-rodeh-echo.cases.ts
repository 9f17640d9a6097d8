import type { Cases } from '../../cases.ts';

export const cases: Cases = {
  refuses: 'crash loss duplication partition',
  run: { nodes: 4, topology: 'ring', initiators: [0, 2] },
  searches: [
    { nodes: 3, topology: 'ring', initiators: 'subsets', set: { c: 2 }, bound: { round: 2 }, reduce: 'none' },
    { nodes: 3, topology: 'ring', initiators: 'subsets', set: { c: 2 }, bound: { round: 3 }, fifo: true },
    { nodes: 4, topology: 'star', initiators: 'subsets', set: { c: 2 }, bound: { round: 2 }, fifo: true },
  ],
};
