import { describe, expect, it } from 'vitest';
import { changRoberts, itaiRodeh, peterson } from '../../../src/algorithms/index.ts';
import { check, probabilities } from '../../../src/checker/index.ts';
import { floorLog2 } from '../../../src/kernel/index.ts';

describe('larger networks', () => {
  it('Chang–Roberts, n = 6, every order and all sets of initiators: n(n+1)/2 at worst', () => {
    const options = { nodes: 6, orders: 'all', initiators: 'subsets', worst: 'election' } as const;
    const { complete, worst } = check(changRoberts, options);
    expect({ complete, value: worst?.value, ids: worst?.ids }).toEqual({
      complete: true,
      value: 21,
      ids: [6, 5, 4, 3, 2, 1],
    });
  });

  it('Peterson, n = 7, every order, each starting before or after it is reached: within the bound', () => {
    const { complete, worst } = check(peterson, { nodes: 7, orders: 'all', worst: 'election' });
    expect(complete).toBe(true);
    expect(worst?.value).toBeLessThanOrEqual(2 * 7 * (floorLog2(7) + 1));
  });

  it('Itai–Rodeh, n = c = 5: 5825/3744 rounds', () => {
    expect(probabilities(itaiRodeh, { nodes: 5 }).mean?.rounds?.fraction).toBe('5825/3744');
  });
});
