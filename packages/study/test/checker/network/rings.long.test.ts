import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/algorithms/index.ts';
import { check } from '../../../src/checker/index.ts';

const oneWay = registry.filter(
  ({ assumes }) =>
    assumes.network === 'one-way ring' && assumes.ids === 'unique' && assumes.timing === 'asynchronous',
);

describe('no schedule violates a property on a one-way ring', () => {
  it.each(oneWay)('$name: every order of 7 ids', (algorithm) => {
    const result = check(algorithm, { nodes: 7, orders: 'all', invariants: 'node', stateLimit: 1e8 });
    expect(result).toMatchObject({ complete: true, violations: [], instances: { searched: 720, all: 720 } });
  });

  it.each(oneWay)('$name: every order of 5 ids, all sets of initiators', (algorithm) => {
    const result = check(algorithm, { nodes: 5, orders: 'all', initiators: 'subsets', invariants: 'node' });
    expect(result).toMatchObject({ complete: true, violations: [], instances: { searched: 744, all: 744 } });
  });
});
