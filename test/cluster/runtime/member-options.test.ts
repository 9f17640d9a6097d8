import { expect, test } from 'vitest';
import { bully } from '../../../src/algorithms/complete/bully.ts';
import { raft } from '../../../src/algorithms/quorum/raft.ts';
import { defaultHeartbeatMs, defaultUnitMs } from '../../../src/cluster/runtime/member-options.ts';
import { overlaySetup } from '../../../src/cluster/view/overlay.ts';

const idsOf = (members: number): number[] => Array.from({ length: members }, (_, place) => place + 1);

test('a member sends at most about a hundred heartbeats per second, however many members there are', () => {
  expect([3, 10, 50, 100].map(defaultHeartbeatMs)).toEqual([100, 100, 500, 1_000]);
});

test('the default election timeout of Raft is four heartbeats, however many members there are', () => {
  for (const count of [1, 3, 5, 50]) {
    const members = idsOf(count);
    const setup = overlaySetup(raft, members, {}, null);
    const unitMs = defaultUnitMs({ algorithm: raft, members }, 100);
    expect(2 * Number(setup?.params.timeout) * unitMs).toBeCloseTo(400, 9);
  }
});

test('a unit of an algorithm that assumes a longest delay is a heartbeat', () => {
  expect(defaultUnitMs({ algorithm: bully, members: idsOf(50) }, 500)).toBe(500);
});
