/** As raft-checked.test.ts, with more states than a quick test run has time for. */
import { expect, test } from 'vitest';
import { raft } from '../../../../src/algorithms/index.ts';
import { check } from '../../../../src/checker/index.ts';
import { ascending } from '../../orders.ts';

test('three nodes with pre-vote, of which one wants to lead first: one leader a term, in every state', () => {
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
