import { type Cases, everything } from '../../cases.ts';

export const cases: Cases = {
  searches: [
    { nodes: 4, ...everything },
    { nodes: 6, order: 'random' },
  ],
};
