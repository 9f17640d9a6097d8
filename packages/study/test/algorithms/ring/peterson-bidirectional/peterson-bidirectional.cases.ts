import { type Cases, everything, orders } from '../../cases.ts';

export const cases: Cases = {
  refuses: 'network ids fifo crash loss duplication partition',
  searches: [
    { nodes: 4, ...everything },
    { nodes: 5, ...orders },
    { nodes: 6, order: 'random' },
    { nodes: 4, ...everything, set: { eager: true } },
  ],
};
