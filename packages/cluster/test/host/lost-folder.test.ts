/** A member whose folder is removed while it runs, or while it is down, between members with real disks and sockets. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bully, raft } from '../../../study/src/algorithms/index.ts';
import { type ClusterNode, type ClusterNodeOptions, startNode } from '../../src/host/cluster-node.ts';
import { localMembers, SECURITY } from '../wire/wire-cluster.ts';

const LIMIT = { timeout: 30_000, interval: 5 };
let folder = '';
const nodes = new Map<number, ClusterNode>();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hustings-folder-'));
});
afterEach(async () => {
  for (const node of nodes.values()) await node.close();
  nodes.clear();
  rmSync(folder, { recursive: true, force: true });
});

const folderOf = (id: number): string => join(folder, `member-${id}`);
const REFUSAL =
  'member 2 has another folder than before: start it with that one; if it is lost, remove member 2, and add a member with a new id';

it.each([
  ['raft', { algorithm: raft }],
  ['bully with a quorum', { algorithm: bully, quorum: true, leaseMs: 400 }],
] as const)(
  '%s: a running member whose folder was removed is refused after a restart, with one line that says what to do',
  async (_, setup) => {
    const members = await localMembers(3);
    const told: string[] = [];
    const start = async (id: number): Promise<void> => {
      const onEvent: ClusterNodeOptions['onEvent'] = (event) => {
        if (event.type !== 'wire') return;
        const { type } = event.event;
        if (type === 'refused' || type === 'refused-by-peer') told.push(`${id} ${type}: ${event.event.text}`);
      };
      const own = { members, id, security: SECURITY, folder: folderOf(id), heartbeatMs: 50, onEvent };
      nodes.set(id, await startNode({ ...own, ...setup }));
    };
    for (const id of [1, 2, 3]) await start(id);
    const leaderOf = (id: number): number | null => nodes.get(id)?.status.leader ?? null;
    await expect.poll(() => leaderOf(1) !== null && leaderOf(1) === leaderOf(2), LIMIT).toBe(true);
    rmSync(folderOf(2), { recursive: true });
    await nodes.get(2)?.close();
    await start(2);
    await expect
      .poll(() => [...told].sort(), LIMIT)
      .toEqual([
        `1 refused: ${REFUSAL}`,
        `2 refused-by-peer: ${REFUSAL}`,
        `2 refused-by-peer: ${REFUSAL}`,
        `3 refused: ${REFUSAL}`,
      ]);
    expect(nodes.get(2)?.status).toMatchObject({ connected: [], leader: null, leads: false });
    expect(nodes.get(2)?.status.folder).toMatchObject({ recordedBy: [], isRecorded: false });
    await expect.poll(() => leaderOf(1) !== null && leaderOf(1) === leaderOf(3), LIMIT).toBe(true);
    expect(leaderOf(2)).toBeNull();
  },
  60_000,
);
