/** The cost of my-election over n: run it with `npx hustings run examples/costs.ts`. */
import { simulate } from '@hustings/study/simulator';
import { myElection } from './my-election.ts';

for (const nodes of [10, 100, 1000]) {
  const { messages } = simulate(myElection, { nodes, order: 'ascending' });
  console.log(nodes, messages.election, messages.election === 2 * nodes - 1);
}
