import { type Cases, everything } from '../../cases.ts';

export const cases: Cases = {
  searches: [
    { nodes: 4, ...everything },
    { nodes: 7, order: 'random' },
    { nodes: 4, ...everything, set: { veto: true } },
    { nodes: 4, ...everything, set: { compare: 'phase' } },
  ],
};
