import type { Cases } from '../../cases.ts';

export const cases: Cases = {
  refuses: 'network crash loss duplication partition',
  // Rounds are unbounded, because draws may tie. With overtaking, the reduction leaves any bound.
  searches: [
    { nodes: 3, initiators: 'subsets', set: { c: 2 }, bound: { round: 2 }, reduce: 'none' },
    { nodes: 4, initiators: 'subsets', set: { c: 2 }, bound: { round: 4 }, fifo: true },
    { nodes: 5, initiators: 'subsets', set: { c: 2 }, bound: { round: 2 }, fifo: true },
  ],
  scenario: { set: (n, drawn) => ({ c: 2 + (drawn % (n + 1)) }) },
};
