/** Random checks of the algorithms of this package, each with one, two and four threads. The threads run from `dist`. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { registry } from '../../../dist/algorithms/registry.js';
import {
  type CheckOptions,
  type CheckResult,
  check,
  type SearchThreads,
} from '../../../dist/checker/index.js';
import { searchThreads } from '../../../dist/cli/workers/search-threads.js';

/** Algorithms that are checked under violated assumptions too, so that there are counterexamples. */
const NAMES = [
  'chang-roberts',
  'dolev-klawe-rodeh',
  'peterson',
  'franklin',
  'hirschberg-sinclair',
  'bully',
  'ring-max',
  'itai-rodeh',
  'echo-election',
  'flood-max',
];

export interface Case {
  readonly name: string;
  readonly options: CheckOptions;
}

export const cases: fc.Arbitrary<Case> = fc.record({
  name: fc.constantFrom(...NAMES),
  options: fc.record({
    nodes: fc.integer({ min: 3, max: 4 }),
    order: fc.constantFrom('ascending', 'descending'),
    reduce: fc.constantFrom('auto', 'none', 'none'),
    fifo: fc.constantFrom(undefined, false),
    losses: fc.constantFrom(0, 0, 1),
    crashes: fc.constantFrom(0, 0, 1),
    initiators: fc.constantFrom('all', [0], [0, 2]),
    stateLimit: fc.constantFrom(1500, 20_000),
  }) as fc.Arbitrary<CheckOptions>,
});

/** The result, or the text of the error. */
export function outcomeOf(
  { name, options }: Case,
  cores: number,
  started: Partial<SearchThreads> = {},
): CheckResult | string {
  const algorithm = registry.find((each) => each.name === name);
  if (algorithm === undefined) throw new Error(name);
  const pace = { fromStates: 50, waits: true, minEach: 4 };
  const threads = cores === 1 ? undefined : { ...searchThreads(name, cores), pace, ...started };
  try {
    return check(algorithm, { ...options, threads });
  } catch (error) {
    return String(error);
  }
}

/** Returns the result with one thread. */
export function expectSame(one: Case, cores: readonly number[]): CheckResult | string {
  const alone = outcomeOf(one, 1);
  for (const each of cores) expect(outcomeOf(one, each), JSON.stringify(one)).toEqual(alone);
  return alone;
}
