import { expect, it } from 'vitest';
import { bully, raft } from '../../../study/src/algorithms/index.ts';
import { checkNode, settingsOf, unitMsOf } from '../../src/host/node-setup.ts';
import { SECURITY } from '../wire/wire-cluster.ts';

const SETUP = { members: { cluster: 'demo', version: 1, members: [] }, id: 1, folder: '', algorithm: raft };

it('members of raft must have the same options for durations, whatever lists they use at the moment', () => {
  const settings = settingsOf(SETUP, 3);
  expect(settingsOf(SETUP, 50)).toEqual(settings);
  for (const other of [{ heartbeatMs: 2_000 }, { unitMs: 20 }, { set: { timeout: 20 } }])
    expect(settingsOf({ ...SETUP, ...other }, 3)).not.toEqual(settings);
  // The unit decides, and the heartbeat is then only that of the failure detector.
  expect(settingsOf({ ...SETUP, unitMs: 20, heartbeatMs: 50 }, 3)).toEqual(
    settingsOf({ ...SETUP, unitMs: 20 }, 3),
  );
});

it('by default the lease of raft is at least a second, and four heartbeats; a unit that is given counts', () => {
  const leaseMs = (members: number, options = {}): number => {
    const ids = Array.from({ length: members }, (_, place) => place + 1);
    const timeout = Math.max(10, 2 * members);
    return 2 * timeout * unitMsOf({ ...SETUP, ...options }, ids);
  };
  expect([3, 10, 25, 50].map((members) => leaseMs(members))).toEqual([1_000, 1_000, 1_000, 2_000]);
  expect(leaseMs(3, { heartbeatMs: 50 })).toBe(1_000);
  expect(leaseMs(3, { heartbeatMs: 500 })).toBe(2_000);
  expect(leaseMs(3, { heartbeatMs: 50, unitMs: 10 })).toBe(200);
  expect(unitMsOf({ ...SETUP, algorithm: bully, heartbeatMs: 50 }, [1, 2, 3])).toBe(50);
});

it('members with a quorum must have the same lease, and may have other heartbeats', () => {
  const gated = { ...SETUP, algorithm: bully, quorum: true };
  const settings = settingsOf(gated, 3);
  expect(settings).toMatchObject({ lease: '2000 ms' });
  expect(settingsOf({ ...gated, heartbeatMs: 200 }, 3)).toEqual(settings);
  expect(settingsOf(gated, 100)).toMatchObject({ lease: '4000 ms' });
});

it('parameters are compared in any order, and long ones by a digest that fits into a frame', () => {
  const textOf = (set: Record<string, number>): string =>
    settingsOf({ ...SETUP, set }, 3)['set of parameters'];
  expect(textOf({ timeout: 20, spread: 4 })).toBe('spread=4, timeout=20');
  expect(textOf({ spread: 4, timeout: 20 })).toBe('spread=4, timeout=20');
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`parameter${at}`, at]));
  expect(textOf(many).length).toBeLessThan(100);
  expect(textOf({ ...many, parameter7: 8 })).not.toBe(textOf(many));
});

it('a list that does not fit into a frame is refused where the leader sends it', () => {
  const members = Array.from({ length: 900 }, (_, at) => ({
    id: at + 1,
    address: `${'a'.repeat(50)}.b${at}:7000`,
  }));
  const node = (count: number) => ({
    ...{ ...SETUP, security: SECURITY },
    members: { cluster: 'demo', version: 1, members: members.slice(0, count) },
  });
  expect(() => checkNode(node(900))).toThrow(
    /^members must have at most 60000 bytes as JSON, not \d+: a leader sends its list in one frame; use shorter addresses or fewer members$/,
  );
  checkNode(node(300));
  checkNode({ ...node(900), algorithm: bully });
});
