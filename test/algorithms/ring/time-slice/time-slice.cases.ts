import { type Cases, orders } from '../../cases.ts';

export const cases: Cases = {
  run: { nodes: 4 },
  searches: [{ nodes: 8, ...orders }],
};
