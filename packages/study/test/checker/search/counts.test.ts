import { describe, expect, it } from 'vitest';
import { effort } from '../../../../../test-kit/limits/effort.ts';
import {
  changRoberts,
  dolevKlaweRodeh,
  hirschbergSinclair,
  peterson,
} from '../../../src/algorithms/index.ts';
import { check } from '../../../src/checker/index.ts';
import { defineAlgorithm, flag, message } from '../../../src/kernel/index.ts';

/** The ids of the Promela example by which model checkers are compared. */
function exampleIds(n: number): number[] {
  return Array.from({ length: n }, (_, p) => ((n + 2 - p) % n) + 1);
}

const LARGEST = effort({
  quick: [],
  full: [{ n: 12, starts: 'first', states: 575_747, transitions: 3_811_179 }],
} as const);

describe('Dolev–Klawe–Rodeh has exactly the states that other model checkers count', () => {
  it.each([
    { n: 8, starts: 'together', states: 2_593, transitions: 11_222 },
    { n: 8, starts: 'first', states: 7_121, transitions: 31_287 },
    { n: 12, starts: 'together', states: 121_406, transitions: 795_157 },
    ...LARGEST,
  ] as const)('$n nodes, $starts: $states states', ({ n, starts, states, transitions }) => {
    const result = check(dolevKlaweRodeh, { ids: exampleIds(n), starts, reduce: 'none', invariants: 'none' });
    expect(result).toMatchObject({
      n,
      states,
      transitions,
      terminal: 1,
      exact: true,
      complete: true,
      reductions: [],
      violations: [],
    });
  });
});

describe('no schedule violates a property', () => {
  it.each([changRoberts, peterson, dolevKlaweRodeh])(
    '$name: every order of 4 ids, all sets of initiators, every schedule',
    (algorithm) => {
      const result = check(algorithm, { nodes: 4, orders: 'all', initiators: 'subsets' });
      expect(result).toMatchObject({ complete: true, cut: 0, violations: [] });
    },
  );

  it('hirschberg-sinclair: every order of 3 ids on non-FIFO links', () => {
    const result = check(hirschbergSinclair, { nodes: 3, orders: 'all', initiators: 'subsets' });
    expect(result).toMatchObject({ complete: true, violations: [] });
  });

  it('a search that reaches its limit says so', () => {
    const result = check(dolevKlaweRodeh, { ids: exampleIds(8), stateLimit: 100 });
    expect(result.complete).toBe(false);
    expect(result.cut).toBeGreaterThan(0);
  });
});

describe('a violated assumption has a shortest counterexample', () => {
  it('Peterson on non-FIFO links', () => {
    const { violations, complete } = check(peterson, {
      nodes: 4,
      orders: 'all',
      fifo: false,
      starts: 'together',
    });
    expect(complete).toBe(false);
    expect(violations).toHaveLength(1);
    expect(['uniqueness', 'termination', 'agreement']).toContain(violations[0].property);
    expect(violations[0].steps.length).toBeGreaterThan(3);
    for (const step of violations[0].steps) expect(step).toMatch(/^deliver \d > \d (id|elected) id=\d$/);
  });

  it('a lost token ends Chang–Roberts without a leader', () => {
    const { violations } = check(changRoberts, { ids: [2, 1], losses: 1, starts: 'together' });
    expect(violations[0]).toMatchObject({ property: 'termination' });
    expect(violations[0].steps).toContain('lose 0 > 1 token id=2');
  });
});

describe('a violation in a step', () => {
  /** One node that gets two messages: handled the wrong way round, it decides twice. */
  const hasty = defineAlgorithm({
    name: 'hasty',
    title: 'Hasty',
    source: 'none',
    cost: '2',
    assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: false },
    params: {},
    state: { done: flag() },
    messages: { a: message(), b: message() },
    laws: [],
    onStart(_state, ctx) {
      ctx.send(1, 'b');
      ctx.send(1, 'a');
    },
    on: {
      a(state, _port, _message, ctx) {
        if (!state.done) ctx.decide('follower', 7);
      },
      b(state, _port, _message, ctx) {
        state.done = true;
        ctx.decide('leader');
      },
    },
  });

  it('is reported with the outcome that violates it, though another outcome reached the same state before', () => {
    const { violations } = check(hasty, { ids: [1] });
    expect(violations[0]).toMatchObject({
      property: 'agreement',
      steps: ['start 0', 'deliver 0 > 0 a', 'deliver 0 > 0 b'],
    });
  });

  it.each([
    ['no initiators', { nodes: 3, initiators: [] }, /initiators must not be empty/],
    ['an initiator twice', { nodes: 3, initiators: [1, 1] }, /given twice/],
    ['a network of another shape', { nodes: 3, topology: 'star' }, /assumes a one-way ring, not star/],
    ['nobody with an id', { ids: 'anonymous' as const }, /needs unique ids/],
    ['no limit', { nodes: 3, stateLimit: -1 }, /stateLimit must be/],
  ])('bad input is refused: %s', (_what, options, message) => {
    expect(() => check(peterson, options)).toThrow(message);
  });
});
