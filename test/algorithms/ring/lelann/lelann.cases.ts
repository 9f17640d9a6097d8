import { type Cases, everything } from '../../cases.ts';

export const cases: Cases = {
  searches: [{ nodes: 6, ...everything }],
};
