/** The searches of raft-checked.test.ts that have too many states for a quick test run. */
import { expect, test } from 'vitest';
import { raft } from '../../../../src/algorithms/index.ts';
import { check } from '../../../../src/checker/index.ts';
import { ascending } from '../../orders.ts';

test('three nodes with pre-vote, one of which starts an election first: one leader per term, in every state', () => {
  const { states, stopped, violations } = check(raft, {
    ids: ascending(3),
    initiators: [0],
    set: { timeout: 2, spread: 0, heartbeats: 2, prevote: true, checkQuorum: false, lease: false },
    bound: { term: 1, round: 1 },
    reduce: 'none',
  });
  expect([stopped, violations]).toEqual([null, []]);
  expect(states).toBeGreaterThan(1_000_000);
}, 300_000);

test('three nodes, through two terms: all invariants, in every state', () => {
  const { states, stopped, violations } = check(raft, {
    ids: ascending(3),
    set: { timeout: 2, spread: 0, heartbeats: 2, prevote: false, checkQuorum: false, lease: false },
    bound: { term: 2, round: 1 },
    reduce: 'none',
  });
  expect([stopped, violations]).toEqual([null, []]);
  expect(states).toBeGreaterThan(2_000_000);
}, 300_000);
