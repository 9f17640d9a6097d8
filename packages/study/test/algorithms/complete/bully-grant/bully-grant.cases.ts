import { type Cases, detectors } from '../../cases.ts';

export const cases: Cases = {
  refuses: 'network ids timing loss partition',
  run: { nodes: 6, order: 'ascending', initiators: [1] },
  searches: [
    { nodes: 4, order: 'ascending', crashes: 1 },
    { nodes: 3, ...detectors, crashes: 1, recoveries: 1 },
  ],
};
