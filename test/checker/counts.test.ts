import { describe, expect, it } from 'vitest';
import { changRoberts, dolevKlaweRodeh, hirschbergSinclair, peterson } from '../../src/algorithms/index.ts';
import { check } from '../../src/checker/index.ts';

/** The ids of the Promela example by which model checkers are compared. */
function exampleIds(n: number): number[] {
  return Array.from({ length: n }, (_, p) => ((n + 2 - p) % n) + 1);
}

describe('Dolev–Klawe–Rodeh has exactly the states that other model checkers count', () => {
  it.each([
    { n: 8, starts: 'together', states: 2_593, transitions: 11_222 },
    { n: 8, starts: 'first', states: 7_121, transitions: 31_287 },
    { n: 12, starts: 'together', states: 121_406, transitions: 795_157 },
    { n: 12, starts: 'first', states: 575_747, transitions: 3_811_179 },
  ] as const)('$n nodes, $starts: $states states', ({ n, starts, states, transitions }) => {
    const result = check(dolevKlaweRodeh, { ids: exampleIds(n), starts });
    expect(result).toMatchObject({ n, states, transitions, terminal: 1, complete: true, violations: [] });
  });
});

describe('no schedule breaks an election', () => {
  it.each([changRoberts, peterson, dolevKlaweRodeh])(
    '$name: every order of 4 ids, every set of initiators, every schedule',
    (algorithm) => {
      const result = check(algorithm, { nodes: 4, orders: 'all', initiators: 'subsets' });
      expect(result).toMatchObject({ complete: true, cut: 0, violations: [] });
    },
  );

  it('hirschberg-sinclair: every order of 3 ids on links that keep no order', () => {
    const result = check(hirschbergSinclair, { nodes: 3, orders: 'all', initiators: 'subsets' });
    expect(result).toMatchObject({ complete: true, violations: [] });
  });

  it('a search that meets its limit says so', () => {
    const result = check(dolevKlaweRodeh, { ids: exampleIds(8), stateLimit: 100 });
    expect(result.complete).toBe(false);
    expect(result.cut).toBeGreaterThan(0);
  });
});

describe('a broken assumption has a shortest counterexample', () => {
  it('Peterson on links that keep no order', () => {
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
