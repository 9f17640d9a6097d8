import { type Cases, orders } from '../../cases.ts';

export const cases: Cases = {
  refuses: 'network ids timing crash loss duplication partition',
  run: { nodes: 4 },
  searches: [{ nodes: 8, ...orders }],
};
