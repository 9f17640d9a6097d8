import { type Cases, everything, reduced } from '../../cases.ts';

export const cases: Cases = {
  searches: [
    { nodes: 3, ...everything },
    { nodes: 4, ...everything, ...reduced },
    { nodes: 7, order: 'random', ...reduced },
    { nodes: 4, ...everything, ...reduced, set: { veto: true } },
    { nodes: 3, ...everything, set: { compare: 'phase' } },
    { nodes: 4, ...everything, ...reduced, set: { compare: 'phase' } },
  ],
};
