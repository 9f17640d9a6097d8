import type { Cases } from '../../cases.ts';

export const cases: Cases = {
  refuses: 'network crash loss duplication partition',
  searches: [
    { nodes: 3, initiators: 'subsets', set: { c: 2, N: 3 }, bound: { round: 2 }, reduce: 'none' },
    { nodes: 5, initiators: 'subsets', set: { c: 2, N: 5 }, bound: { round: 2 }, fifo: true },
  ],
  scenario: {
    set: (n, drawn) => {
      const least = Math.ceil((n + 1) / 2);
      return { c: 2 + (drawn % (n + 1)), N: least + (drawn % (n - least + 1)) };
    },
  },
};
