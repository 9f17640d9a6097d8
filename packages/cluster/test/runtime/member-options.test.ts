import { expect, test } from 'vitest';
import { itaiRodehBounded } from '../../../study/src/algorithms/anonymous/itai-rodeh-bounded.ts';
import { bully } from '../../../study/src/algorithms/complete/bully.ts';
import { raft } from '../../../study/src/algorithms/quorum/raft.ts';
import { integer } from '../../../study/src/kernel/params.ts';
import { checkMember, defaultHeartbeatMs, defaultUnitMs } from '../../src/runtime/member-options.ts';
import { overlaySetup } from '../../src/view/overlay.ts';

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

test('a parameter that a smaller number of members does not allow is refused at the start, because members may go', () => {
  const options = { algorithm: itaiRodehBounded, members: idsOf(4), self: 1, unitMs: 50 };
  const refusal = (set: Record<string, number>): string => {
    try {
      checkMember({ ...options, set });
      return 'none';
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(refusal({ N: 4 })).toBe(
    "while 1 of 4 members run, N of itai-rodeh-bounded must be a whole number from 1 to 1 for 1 nodes, not '4': leave it out, or give a value that is allowed for 1 to 4 members",
  );
  expect(refusal({ N: 9 })).toMatch(/^N of itai-rodeh-bounded must be .* for 4 nodes, not '9'$/);
  expect(refusal({ c: 5 })).toBe('none');
});

test('an algorithm that sees crashes runs with all members, so only their number counts', () => {
  const most = integer('at most n', { min: 1, max: (n) => n, byDefault: 1 });
  const algorithm = { ...raft, params: { ...raft.params, most } } as never;
  const members = idsOf(4);
  expect(() => checkMember({ algorithm, members, self: 1, unitMs: 50, set: { most: 4 } })).not.toThrow();
});
