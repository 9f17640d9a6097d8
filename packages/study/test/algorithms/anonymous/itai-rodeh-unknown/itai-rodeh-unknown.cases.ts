import type { Cases } from '../../cases.ts';

export const cases: Cases = {
  refuses: 'network crash loss duplication partition',
  sizes: [4, 8, 16],
  run: { nodes: 3 },
  searches: [{ nodes: 1 }, { nodes: 2, set: { c: 2 } }],
};
