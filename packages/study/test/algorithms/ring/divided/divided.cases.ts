import { type Cases, coordinatorDead, everything } from '../../cases.ts';
import { divisionScenario } from '../divisions.ts';

export const cases: Cases = {
  refuses: 'network ids timing fifo duplication partition',
  run: { nodes: 6, initiators: [1] },
  searches: [
    { nodes: 3, ...everything },
    { nodes: 4, order: 'ascending', initiators: [0], crashes: 1 },
    { nodes: 3, order: 'ascending', initiators: [0], losses: 1 },
  ],
  searchedAs: coordinatorDead,
  scenario: divisionScenario,
};
