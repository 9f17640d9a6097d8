import { describe, expect, it } from 'vitest';
import { lottery } from '../../examples/handlers/lottery.ts';
import { relays } from '../../examples/handlers/relays.ts';
import { watchers } from '../../examples/handlers/watchers.ts';
import { waves } from '../../examples/handlers/waves.ts';
import { check } from '../../packages/study/src/checker/index.ts';
import { simulate } from '../../packages/study/src/simulator/index.ts';

describe('the examples of docs/handlers.md', () => {
  it('elect a leader', () => {
    for (const nodes of [1, 2, 7, 16]) {
      expect(simulate(relays, { nodes, set: { extremum: 'min' } }).leader?.id).toBe(1);
      expect(simulate(waves, { nodes }).leader?.id).toBe(nodes);
    }
    const recovered = { nodes: 6, order: 'ascending', crash: [{ position: 5, time: 0 }] } as const;
    const { leader, valid } = simulate(watchers, { ...recovered, recover: [{ position: 5, time: 40 }] });
    expect(leader?.id).toBe(5);
    expect(valid.agreement).toBe(true);
    expect(simulate(lottery, { nodes: 5, seed: 1 }).valid.uniqueness).toBe(true);
  });

  it('do so in every schedule of small networks', () => {
    const complete = (...given: Parameters<typeof check>) => check(...given).complete;
    expect(complete(relays, { nodes: 3, orders: 'all', initiators: 'subsets' })).toBe(true);
    expect(complete(waves, { nodes: 4 })).toBe(true);
    expect(complete(watchers, { nodes: 3 })).toBe(true);
    expect(check(lottery, { nodes: 2, set: { numbers: 2 } }).violations[0].property).toBe('termination');
  });
});
