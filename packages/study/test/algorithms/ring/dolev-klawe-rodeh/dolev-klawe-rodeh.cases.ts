import { type Cases, everything, orders, reduced } from '../../cases.ts';

export const cases: Cases = {
  refuses: 'network ids fifo crash loss duplication partition',
  searches: [
    { nodes: 4, ...everything },
    { nodes: 5, ...everything, ...reduced },
    { nodes: 6, ...orders, ...reduced },
    { nodes: 12, order: 'random', ...reduced },
  ],
};
