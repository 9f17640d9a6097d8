import { type Cases, detectors, everything } from '../../cases.ts';
import { divisionScenario } from '../divisions.ts';

export const cases: Cases = {
  refuses: 'network ids fifo crash loss duplication partition',
  run: { nodes: 8, initiators: [1] },
  searches: [
    { nodes: 3, ...everything },
    { nodes: 4, ...detectors, set: { u: 2, depth: 2 } },
    { nodes: 8, order: 'ascending', initiators: [1], set: { u: 2, depth: 2 } },
  ],
  scenario: divisionScenario,
};
