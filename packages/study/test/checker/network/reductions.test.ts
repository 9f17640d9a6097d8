import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effort } from '../../../../../test-kit/limits/effort.ts';
import { registry, twins } from '../../../src/algorithms/index.ts';
import { type CheckOptions, check, type Reduction } from '../../../src/checker/index.ts';
import type { AnyAlgorithm } from '../../../src/kernel/index.ts';
import { exploredBy } from './explored.ts';
import { randomAlgorithm, randomInvariant } from './random-algorithm.ts';

/** A reduced search must reach the same ends and the same verdict as a full one. Invariants of the network reduce nothing. */
function expectSame(algorithm: AnyAlgorithm, options: CheckOptions): { full: number; reduced: number } {
  const full = check(algorithm, { ...options, invariants: 'node', reduce: 'none' });
  const reduced = check(algorithm, { ...options, invariants: 'node', reduce: 'auto' });
  const [violation] = full.violations;
  expect(reduced.violations.map(({ property }) => property)).toEqual(violation ? [violation.property] : []);
  expect(reduced.complete).toBe(full.complete);
  if (violation === undefined) expect(reduced.terminal).toBe(full.terminal);
  expect(reduced.states).toBeLessThanOrEqual(full.states);
  return { full: full.states, reduced: reduced.states };
}

const CASES = effort({ quick: 200, full: 500 });
/** A few elections made up at random have a million states, and would take longer than all others together. */
const MAX_STATES = effort({ quick: 1_000, full: 1e7 });

const small: readonly (readonly [string, CheckOptions])[] = [
  ['chang-roberts', { ids: [2, 4, 1, 3] }],
  ['chang-roberts', { ids: [2, 4, 1, 3], set: { filter: true } }],
  ['chang-roberts', { ids: [2, 4, 1, 3], fifo: true, starts: 'first' }],
  ['chang-roberts', { ids: [3, 1, 2], losses: 1 }],
  ['chang-roberts', { ids: [3, 1, 2], crashes: 1 }],
  ['peterson', { ids: [2, 4, 1, 3] }],
  ['peterson', { ids: [2, 4, 1, 3], starts: 'together' }],
  ['peterson', { ids: [1, 2, 3], crashes: 1, recoveries: 1 }],
  ['dolev-klawe-rodeh', { ids: [4, 2, 3, 1, 5] }],
  ['dolev-klawe-rodeh', { ids: [4, 2, 3, 1], starts: 'first' }],
  ['hirschberg-sinclair', { ids: [2, 3, 1] }],
  ['hirschberg-sinclair', { ids: [2, 4, 1, 3], fifo: true, starts: 'together' }],
  ['echo-election', { ids: [2, 3, 1], topology: 'ring' }],
  ['echo-election', { ids: [2, 4, 3, 1], topology: 'star', fifo: true }],
  ['bully', { ids: [1, 2, 3, 4], starts: 'free' }],
  ['bully', { ids: [1, 2, 3], starts: 'free', crashes: 1, recoveries: 1 }],
  ['bully', { ids: [1, 2, 3], crashes: 1, delay: 2, set: { timeout: 4 } }],
];

describe('partial-order reduction changes neither terminal states nor the verdict', () => {
  it.each(small)('%s %j', (name, options) => {
    const algorithm = registry.find((one) => one.name === name) as AnyAlgorithm;
    for (const initiators of [[0], [0, 1], 'all'] as const) expectSame(algorithm, { ...options, initiators });
  });

  it.each(twins.map((twin) => [twin.name, twin] as const))('%s', (_name, { algorithm, search }) => {
    expectSame(algorithm, search);
  });

  it('of random algorithms, on FIFO and non-FIFO links, with and without faults', () => {
    let [full, reduced, violated] = [0, 0, 0];
    fc.assert(
      fc.property(
        randomAlgorithm(),
        randomInvariant(),
        fc.record({
          fifo: fc.boolean(),
          starts: fc.constantFrom('free' as const, 'first' as const, 'together' as const),
          crashes: fc.integer({ min: 0, max: 1 }),
          recoveries: fc.integer({ min: 0, max: 1 }),
          losses: fc.integer({ min: 0, max: 1 }),
          initiators: fc.constantFrom([0, 1, 2], [0], [0, 2]),
        }),
        (bare, invariant, setting) => {
          const options = { ...setting, invariants: 'all' } as const;
          const algorithm = { ...bare, invariants: { node: { 'levels-allowed': invariant } } };
          const all = exploredBy(algorithm, options, false, MAX_STATES);
          fc.pre(all.states <= MAX_STATES);
          const some = exploredBy(algorithm, options, true, MAX_STATES);
          expect(some.ends).toEqual(all.ends);
          expect(some.broken).toEqual(all.broken);
          if (some.states < all.states && some.broken.some((text) => text.endsWith(invariant.statement)))
            violated++;
          full += all.states;
          reduced += some.states;
        },
      ),
      { numRuns: CASES },
    );
    // A reduction that never reduces proves nothing.
    expect(reduced).toBeLessThan(full);
    expect(violated).toBeGreaterThan(CASES / 25);
  });

  it('a one-way ring with FIFO links has one run after all nodes have started', () => {
    const ids = Array.from({ length: 12 }, (_, p) => ((14 - p) % 12) + 1);
    const algorithm = registry.find(({ name }) => name === 'dolev-klawe-rodeh') as AnyAlgorithm;
    const { states, transitions } = check(algorithm, { ids, starts: 'together', invariants: 'node' });
    expect(transitions).toBe(states - 1);
    expect(states).toBeLessThan(18 * 12 + 7);
  });

  it('orders of a ring that differ by a rotation are one', () => {
    const algorithm = registry.find(({ name }) => name === 'peterson') as AnyAlgorithm;
    const rotated = check(algorithm, { nodes: 4, orders: 'all', invariants: 'node' });
    const all = check(algorithm, { nodes: 4, orders: 'all', reduce: 'none' });
    expect(rotated.instances).toEqual({ searched: 6, all: 6 });
    expect(all.instances).toEqual({ searched: 24, all: 24 });
    expect(all.terminal).toBe(4 * rotated.terminal);
  });
});

describe('the result names the reductions that left something out', () => {
  it.each<[string, CheckOptions, readonly Reduction[]]>([
    ['chang-roberts', { nodes: 3, orders: 'all' }, ['partial-order', 'symmetry']],
    ['chang-roberts', { nodes: 3 }, ['partial-order']],
    // One token: no state enables two steps.
    ['chang-roberts', { nodes: 3, initiators: [0], starts: 'together' }, []],
    // Given positions are not symmetric.
    ['chang-roberts', { nodes: 3, orders: 'all', initiators: [0], starts: 'together' }, []],
    ['chang-roberts', { nodes: 3, orders: 'all', reduce: 'none' }, []],
    // One step per round.
    ['time-slice', { nodes: 3, orders: 'all' }, ['symmetry']],
    // Its invariants of the network need every state and every order.
    ['peterson', { nodes: 3, orders: 'all' }, []],
    ['peterson', { nodes: 3, orders: 'all', invariants: 'node' }, ['partial-order', 'symmetry']],
    // A bound would cut off postponed steps.
    ['itai-rodeh', { nodes: 2, set: { c: 2 }, bound: { round: 2 } }, []],
  ])('%s %j: %j', (name, options, reductions) => {
    const algorithm = registry.find((one) => one.name === name) as AnyAlgorithm;
    expect(check(algorithm, options).reductions).toEqual(reductions);
  });
});
