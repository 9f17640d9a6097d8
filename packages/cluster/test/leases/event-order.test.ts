/** What the owner of a cluster is told, in which order, of a member that leads again and resigns at once. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ClusterNodeEvent } from '../../src/host/node-status.ts';
import { openCluster } from '../../src/leases/open-cluster.ts';

const TOKEN = 5;
/** A member that leads when it is told to. */
const member = vi.hoisted(() => ({
  leader: null as number | null,
  onEvent: (_event: object): void => undefined,
  lead(leader: number | null): void {
    member.leader = leader;
    member.onEvent({ type: 'leader', leader });
  },
}));
vi.mock(import('../../src/host/cluster-node.ts'), async (original) => ({
  ...(await original()),
  startNode: async ({ onEvent }) => {
    member.onEvent = (event) => onEvent?.(event as never);
    const node = {
      get status() {
        const leads = member.leader === 1;
        const leadsUntilMs = leads ? performance.now() + 1_000 : null;
        return { leader: member.leader, leads, leadsUntilMs, token: leads ? TOKEN : null, exclusive: true };
      },
      resign: () => member.lead(null),
      close: async () => undefined,
    };
    return node as never;
  },
}));

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hustings-order-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('a lead that is given up at once, because its term was over, is told as a lead that begins and then ends', async () => {
  const told: (number | null)[] = [];
  const onEvent = (event: ClusterNodeEvent): void => {
    if (event.type === 'leader') told.push(event.leader);
  };
  const members = { cluster: 'demo', version: 1, members: [{ id: 1, address: '127.0.0.1:7001' }] };
  const cluster = openCluster({ members, id: 1, algorithm: 'raft', folder, leaseMs: 1_000, onEvent });
  const leases = await cluster.leases();
  member.lead(1);
  const lease = { name: 'job', nonce: 'n', ttlMs: 1_000 };
  const wish = { ...lease, id: 'me', priority: 0, processProof: '', goneNonce: null };
  expect(await leases.acquire([wish as never])).toMatchObject([{ type: 'ok', token: 5n }]);
  member.lead(null);
  expect(await leases.renew([{ ...lease, token: 5n }])).toEqual([{ type: 'lost' }]);
  told.length = 0;
  member.lead(1);
  expect(told).toEqual([1, null]);
  await cluster.close();
});
