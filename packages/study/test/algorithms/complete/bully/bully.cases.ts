import { type Cases, detectors } from '../../cases.ts';

export const cases: Cases = {
  refuses: 'network ids timing loss partition',
  searches: [
    { nodes: 4, ...detectors, crashes: 1 },
    { nodes: 5, order: 'ascending', crashes: 2 },
    { nodes: 3, ...detectors, crashes: 1, recoveries: 1 },
  ],
};
