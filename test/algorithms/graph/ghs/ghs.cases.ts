import { type Cases, everything } from '../../cases.ts';

export const cases: Cases = {
  searches: [
    { nodes: 3, topology: 'complete', ...everything },
    { nodes: 4, topology: 'ring', ...everything },
  ],
};
