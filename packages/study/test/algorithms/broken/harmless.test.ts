/**
 * A wrong line does no harm in most networks. These tests check what docs/why-this-line.md says about where a twin
 * fails and where it does not.
 */
import { describe, expect, it } from 'vitest';
import { twins } from '../../../src/algorithms/index.ts';
import { type CheckOptions, check } from '../../../src/checker/index.ts';

function breaks(name: string, where: CheckOptions): string | undefined {
  const twin = twins.find((each) => each.name === name);
  if (twin === undefined) throw new Error(`no twin is named ${name}`);
  const { complete, violations } = check(twin.algorithm, where);
  expect(complete || violations.length > 0).toBe(true);
  return violations[0]?.property;
}

/** The rounds are bounded, so no search is complete. */
function breaksWithin(name: string, where: CheckOptions): string | undefined {
  const twin = twins.find((each) => each.name === name);
  if (twin === undefined) throw new Error(`no twin is named ${name}`);
  const { stopped, violations } = check(twin.algorithm, where);
  expect(stopped).toBeNull();
  return violations[0]?.property;
}

describe('a wrong line', () => {
  it.each<[name: string, about: string, where: CheckOptions]>([
    [
      'chang-roberts-unkilled',
      'any ring with the filter on',
      { nodes: 4, orders: 'all', initiators: 'subsets', set: { filter: true } },
    ],
    ['peterson-strict', 'two nodes', { nodes: 2, orders: 'all', initiators: 'subsets' }],
    ['peterson-unordered', 'three nodes', { nodes: 3, orders: 'all', initiators: 'subsets' }],
    ['echo-extinct', 'a line', { nodes: 4, topology: 'line' }],
    ['echo-extinct', 'a star', { nodes: 4, topology: 'star' }],
    ['tree-early', 'two nodes', { nodes: 2, topology: 'line', orders: 'all', initiators: 'subsets' }],
    ['flood-max-unordered', 'one initiator', { nodes: 3, topology: 'ring', initiators: [0] }],
    ['echo-miscounting', 'two nodes', { nodes: 2, topology: 'line', orders: 'all', initiators: 'subsets' }],
    ['itai-rodeh-unnumbered', 'links that keep their order', { nodes: 3, fifo: true }],
    ['itai-rodeh-unnumbered', 'three nodes that draw from two', { nodes: 3, set: { c: 2 } }],
    ['itai-rodeh-unnumbered', 'four nodes on FIFO links', { nodes: 4, set: { c: 3 }, fifo: true }],
  ])('may do no harm: %s on %s', (name, _, where) => {
    expect(breaks(name, where)).toBeUndefined();
  });

  it('may do harm to larger networks too: two active nodes are enough for peterson-without-max', () => {
    expect(breaks('peterson-without-max', { ids: [4, 1, 3, 2] })).toBe('uniqueness');
  });

  it('may do harm with one initiator: echo-extinct needs no second wave', () => {
    expect(breaks('echo-extinct', { nodes: 3, topology: 'ring', initiators: [0] })).toBe('termination');
  });

  it('may do harm where n = 2N: itai-rodeh-halved on two nodes and on six, and not on three or five', () => {
    const where = (nodes: number): CheckOptions => ({
      nodes,
      set: { c: 2 },
      bound: { round: 1 },
      fifo: true,
    });
    for (const nodes of [2, 6]) expect(breaksWithin('itai-rodeh-halved', where(nodes))).toBe('uniqueness');
    for (const nodes of [3, 5]) expect(breaksWithin('itai-rodeh-halved', where(nodes))).toBeUndefined();
  });
});
