import { expect, it } from 'vitest';
import { dolevKlaweRodeh } from '../../../dist/algorithms/index.js';
import { systemFor } from '../../../dist/checker/network/instances.js';
import { workerPoolFor } from '../../../dist/checker/parallel/search-threads.js';
import { search } from '../../../dist/checker/search/search.js';
import { StateStore } from '../../../dist/checker/search/state-store.js';
import { searchThreads } from '../../../dist/cli/workers/search-threads.js';
import { resolveSetup } from '../../../dist/kernel/setup.js';

const ids = [3, 2, 1, 8, 7, 6, 5, 4];
const options = { ids, starts: 'first', reduce: 'none', invariants: 'none' } as const;

/** The parents of all states, in the order of their numbers. */
function parentsWith(cores: number): number[] {
  const setup = resolveSetup(dolevKlaweRodeh, options);
  const initiators = ids.map((_, at) => at);
  const instance = { setup, ids, initiators, dead: [], reductionLimits: { isTooLarge: false } };
  const system = systemFor(instance, options, false);
  const seen = new StateStore(system.width, system.order);
  const pace = { fromStates: 50, waits: true, minEach: 4 };
  const threads = { ...searchThreads('dolev-klawe-rodeh', cores), pace };
  search(
    system,
    seen,
    { states: 1e6, bytes: 1e9 },
    { pool: workerPoolFor({ ...options, threads }, instance, system, seen, false) },
  );
  return Array.from({ length: seen.count }, (_, number) => seen.parentOf(number));
}

it('states have the same numbers and parents with any number of threads', { timeout: 600_000 }, () => {
  const alone = parentsWith(1);
  expect(alone).toHaveLength(7_121);
  expect(parentsWith(2)).toEqual(alone);
  expect(parentsWith(4)).toEqual(alone);
});
