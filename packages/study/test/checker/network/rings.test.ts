import { describe, expect, it } from 'vitest';
import { effort } from '../../../../../test-kit/limits/effort.ts';
import { registry } from '../../../src/algorithms/index.ts';
import { check } from '../../../src/checker/index.ts';

/** The orders of a ring that differ by a rotation are one. */
const [NODES, ORDERS] = effort({ quick: [5, 24], full: [6, 120] });

/** Those that are right for certain and whose runs are finite in number. */
const oneWay = registry.filter(
  ({ assumes }) =>
    assumes.network === 'one-way ring' && assumes.ids === 'unique' && assumes.timing === 'asynchronous',
);

describe('no schedule violates a property on a one-way ring', () => {
  it.each(oneWay)(`$name: every order of ${NODES} ids`, (algorithm) => {
    const result = check(algorithm, { nodes: NODES, orders: 'all', invariants: 'node' });
    expect(result).toMatchObject({
      complete: true,
      violations: [],
      instances: { searched: ORDERS, all: ORDERS },
    });
  });

  it.each(oneWay)('$name: every order of up to 4 ids, all sets of initiators', (algorithm) => {
    for (let nodes = 1; nodes <= 4; nodes++) {
      const result = check(algorithm, { nodes, orders: 'all', initiators: 'subsets' });
      expect(result).toMatchObject({ complete: true, violations: [] });
    }
  });
});
