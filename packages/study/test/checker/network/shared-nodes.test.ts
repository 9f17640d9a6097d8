/** Instances that differ only in their initiators share the transitions of their nodes, which changes no count. */
import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/algorithms/index.ts';
import { type CheckOptions, check } from '../../../src/checker/index.ts';
import { SnapshotIndex } from '../../../src/checker/network/snapshot-index.ts';
import { positionSets } from '../../algorithms/orders.ts';

const NODES = 3;

describe('all sets of initiators in one check', () => {
  it.each<[string, CheckOptions]>([
    ['lelann', {}],
    ['chang-roberts', {}],
    ['peterson', {}],
    ['franklin', {}],
    ['peterson', { reduce: 'none', losses: 1 }],
    ['echo-election', { topology: 'ring' }],
    ['ghs', { topology: 'ring' }],
    ['bully', { crashes: 1 }],
  ])('%s %j: as many states, transitions and ends as in a check of each set', (name, options) => {
    const algorithm = registry.find((each) => each.name === name)!;
    const run = (initiators: CheckOptions['initiators']) => {
      const { states, transitions, terminal, violations } = check(algorithm, {
        nodes: NODES,
        order: 'ascending',
        ...options,
        initiators,
      });
      return { states, transitions, terminal, violations: violations.length };
    };
    // In the bully algorithm the largest id is crashed at the start.
    const isLive = (position: number): boolean => name !== 'bully' || position < NODES - 1;
    const each = [...positionSets(NODES)].filter((set) => set.some(isLive)).map(run);
    const ended = each.findIndex(({ violations }) => violations > 0);
    // A check ends at the first instance with a violation.
    const searched = ended < 0 ? each : each.slice(0, ended + 1);
    const sum = (count: keyof ReturnType<typeof run>): number =>
      searched.reduce((all, result) => all + result[count], 0);
    expect(run('subsets')).toEqual({
      states: sum('states'),
      transitions: sum('transitions'),
      terminal: sum('terminal'),
      violations: sum('violations'),
    });
  });
});

describe('the index of the states of a node', () => {
  const state = (changes = {}) => ({ record: [1, 2], timers: [3], startedFor: 4, led: [5], ...changes });

  it('finds equal states, and none that differs in one part', () => {
    const all = [state(), state({ record: [2, 1] })];
    const index = new SnapshotIndex(all);
    for (const [number, each] of all.entries()) index.add(each, number);
    expect(all.map((each) => index.find({ ...each, record: [...each.record] }))).toEqual([0, 1]);
    const others = [{ record: [1, 3] }, { timers: [2] }, { startedFor: 5 }, { led: [] }, { record: [1] }];
    expect(others.map((changes) => index.find(state(changes)))).toEqual(others.map(() => undefined));
  });

  it('distinguishes states of equal hashes', () => {
    // A part of zeros leaves a hash of zero as it is.
    const one = { record: [], timers: [], startedFor: 0, led: [] };
    const other = { ...one, timers: [0] };
    const index = new SnapshotIndex([one, other]);
    index.add(one, 0);
    expect(index.find(other)).toBeUndefined();
    index.add(other, 1);
    expect([index.find(one), index.find(other)]).toEqual([0, 1]);
  });
});
