import { type Cases, everything, orders } from '../../cases.ts';

export const cases: Cases = {
  searches: [
    { nodes: 5, ...everything },
    { nodes: 6, ...orders },
    { nodes: 5, ...everything, set: { compete: 'initiators' } },
  ],
};
