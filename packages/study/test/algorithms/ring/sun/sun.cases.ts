import { type Cases, coordinatorDead, everything } from '../../cases.ts';
import { divisionScenario } from '../divisions.ts';

export const cases: Cases = {
  refuses: 'network ids timing fifo duplication partition',
  run: { nodes: 8, initiators: [1] },
  searches: [
    { nodes: 4, ...everything },
    { nodes: 4, order: 'ascending', initiators: [0], crashes: 1 },
    { nodes: 3, order: 'ascending', initiators: [0], crashes: 1, recoveries: 1 },
    { nodes: 3, order: 'ascending', initiators: [0], losses: 1 },
  ],
  searchedAs: coordinatorDead,
  scenario: divisionScenario,
};
