/**
 * The searches and the simulator disagree about no mutant. A search that is wrong about a mutant could be wrong about a
 * right algorithm, too: its reduction leaves out a run, or the simulator does what the model does not.
 */
import { describe, expect, it } from 'vitest';
import { effort, isFull } from '../../../../test-kit/limits/effort.ts';
import { changRoberts, peterson, registry } from '../../src/algorithms/index.ts';
import { check } from '../../src/checker/index.ts';
import type { AnyAlgorithm } from '../../src/kernel/index.ts';
import { Random } from '../../src/kernel/random.ts';
import { judgeMutants } from './mutant-runs.ts';
import { repeatCommand, seed } from './seed.ts';
import { compareVerdicts, expectSameVerdict } from './three-verdicts.ts';

/** A few seconds in all; in the long test some minutes. */
const AMOUNTS = effort({
  quick: { mutants: 3, elections: 1, simulations: 3, events: 3000, states: 1000, maxNodes: 3 },
  full: { mutants: 40, elections: 2, simulations: 6, events: 20_000, states: 20_000, maxNodes: 4 },
});

describe('full search, reduced search and simulation agree about random mutants', () => {
  process.stdout.write(`seed ${seed}; repeat one algorithm: ${repeatCommand('mutants', 'NAME:')}\n`);
  const sums = { conclusive: 0, violated: 0, full: 0, reduced: 0, simulations: 0, failed: 0 };

  it.each(registry.map((algorithm) => [algorithm.name, algorithm] as const))(
    '%s:',
    { timeout: 900_000 },
    async (name, algorithm) => {
      const tally = await judgeMutants(algorithm, AMOUNTS, seed);
      for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] += tally[key];
      if (isFull) process.stdout.write(`${name}: ${JSON.stringify(tally)}\n`);
    },
  );

  it('and many of them are wrong, are reduced, and fail in simulations', () => {
    expect(sums.conclusive).toBeGreaterThan(registry.length);
    expect(sums.violated).toBeGreaterThan(registry.length / 2);
    expect(sums.failed).toBeGreaterThan(registry.length / 2);
    expect(sums.reduced).toBeLessThan(sums.full);
  });
});

describe('a disagreement is an error', () => {
  const election = { nodes: 3, ids: [2, 3, 1], initiators: [0, 1, 2], search: {} };

  it('if a simulation violates what the full search has passed', () => {
    let starts = 0;
    // Right while it is searched, which calls each handler once for each state of a node.
    const right: AnyAlgorithm = changRoberts;
    const impure: AnyAlgorithm = {
      ...right,
      onStart(state, ctx) {
        if (++starts > 100) ctx.decide('leader');
        return right.onStart(state, ctx);
      },
    };
    const limits = { states: 1000, simulations: 100, events: 1000 };
    expect(() => compareVerdicts(impure, election, limits, new Random(1))).toThrow(
      'although the full search has passed',
    );
  });

  it('if one search finds a violation, is complete or has terminal states, and the other is not or has not', () => {
    const result = check(changRoberts, { nodes: 3 });
    const [violation] = check(peterson, { nodes: 4, orders: 'all', fifo: false }).violations;
    expectSameVerdict(result, result);
    for (const other of [
      { violations: [violation] },
      { complete: false },
      { terminal: result.terminal + 1 },
    ]) {
      expect(() => expectSameVerdict(result, { ...result, ...other })).toThrow('the reduced search');
    }
  });
});
