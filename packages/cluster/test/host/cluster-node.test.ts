import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { bully, changRoberts, raft } from '../../../study/src/algorithms/index.ts';
import { type ClusterNode, type ClusterNodeOptions, startNode } from '../../src/host/cluster-node.ts';
import { writeFirstToken } from '../../src/host/member-folder.ts';
import { serveNode } from '../../src/host/node-server.ts';
import type { ClusterNodeEvent } from '../../src/host/node-status.ts';
import { StateFile } from '../../src/host/state-file.ts';
import { localMembers, SECURITY } from '../wire/wire-cluster.ts';

const LIMIT = { timeout: 30_000 };
let folder = '';
const nodes = new Set<ClusterNode>();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hustings-node-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const node of nodes) await node.close();
  nodes.clear();
  rmSync(folder, { recursive: true, force: true });
});

async function start(
  options: Pick<ClusterNodeOptions, 'members' | 'id'> & Partial<ClusterNodeOptions>,
): Promise<ClusterNode> {
  const node = await startNode({
    algorithm: bully,
    security: SECURITY,
    folder: join(folder, `member-${options.id}`),
    ...options,
  });
  nodes.add(node);
  return node;
}

it('a second process in the folder of a member is refused, and the folder is free after the first has closed', async () => {
  const members = await localMembers(1);
  const first = await start({ members, id: 1 });
  await expect(start({ members, id: 1 })).rejects.toThrow(
    /^another process uses the folder .* already; stop it, or give member 1 another folder$/,
  );
  nodes.delete(first);
  await first.close();
  await start({ members, id: 1 });
});

it('an address in use, another cluster, an unknown id and a damaged file are one line each', async () => {
  const members = await localMembers(2);
  const port = Number(members.members[0].address.split(':')[1]);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await expect(start({ members, id: 1 })).rejects.toThrow(/^member 1 cannot listen: .* is in use; stop/);
  await new Promise((resolve) => server.close(resolve));
  // The failed start has left the folder free.
  await start({ members, id: 1 });
  await expect(start({ members, id: 7 })).rejects.toThrow(
    /^id must be a member of the cluster demo \(1, 2\)/,
  );
  await (await start({ members, id: 2 })).close();
  nodes.clear();
  const other = await localMembers(2, 'other');
  await expect(start({ members: other, id: 2 })).rejects.toThrow(
    /support is that of member 2 of the cluster demo: use another folder for member 2 of other$/,
  );
  writeFileSync(join(folder, 'member-2', 'support'), 'nonsense');
  await expect(start({ members, id: 2 })).rejects.toThrow(/support is damaged/);
});

it.runIf(process.platform === 'linux')(
  'a full disk stops a member with one line, and others go on',
  async () => {
    const members = await localMembers(2);
    const events: ClusterNodeEvent[] = [];
    mkdirSync(join(folder, 'record'));
    symlinkSync('/dev/full', join(folder, 'record', '1.trace'));
    await expect(
      start({ members, id: 1, recordTo: join(folder, 'record'), onEvent: (event) => events.push(event) }),
    ).rejects.toThrow(/^the recording .*1\.trace cannot be written: ENOSPC/);
    // The file itself meets a full device in state-file.test.ts.
    const { save } = StateFile.prototype;
    vi.spyOn(StateFile.prototype, 'save').mockImplementation(function (this: StateFile, record) {
      return this.path.includes('full') ? Promise.reject(new Error('ENOSPC')) : save.call(this, record);
    });
    const two = await start({ members, id: 2 });
    const one = { members, id: 1, folder: join(folder, 'full') };
    await start({ ...one, onEvent: (event) => events.push(event) }).catch(() => undefined);
    await expect
      .poll(() => events.flatMap((event) => (event.type === 'stopped' ? [event.error.message] : [])).at(-1))
      .toMatch(/^member 1 has stopped: its state could not be saved: .*ENOSPC/);
    await expect.poll(() => two.status.leads, LIMIT).toBe(true);
  },
);

it('a member warns once of a disk that is slower than its elections, and goes on', async () => {
  const { save } = StateFile.prototype;
  vi.spyOn(StateFile.prototype, 'save').mockImplementation(async function (this: StateFile, record) {
    await new Promise((resolve) => setTimeout(resolve, 700));
    return save.call(this, record);
  });
  const texts: string[] = [];
  const onEvent = (event: ClusterNodeEvent): void => {
    if (event.type === 'warning') texts.push(event.text);
  };
  const node = await start({ members: await localMembers(1), id: 1, algorithm: raft, onEvent });
  await expect.poll(() => node.status.leads, { timeout: 30_000 }).toBe(true);
  node.resign();
  await expect.poll(() => node.status.term, { timeout: 30_000 }).toBeGreaterThan(1);
  expect(texts).toEqual([expect.stringMatching(/^a save takes longer than 500 ms, .* a longer heartbeat/)]);
});

it('with a quorum one of three never leads; two do, with a token above the first one', async () => {
  const members = await localMembers(3);
  for (const { id } of members.members)
    await writeFirstToken(join(folder, `member-${id}`), { cluster: members.cluster, id }, 41);
  const gate = { members, quorum: true, leaseMs: 1_000, heartbeatMs: 50 };
  const one = await start({ ...gate, id: 1 });
  // It is elected by itself, and asks for support that nobody gives.
  await expect.poll(() => one.status.elected, LIMIT).toBe(1);
  const seen: unknown[] = [];
  const until = performance.now() + 1_500;
  await expect
    .poll(() => {
      seen.push(one.status.leader, one.status.leads, one.status.token);
      return performance.now() >= until;
    })
    .toBe(true);
  expect(new Set(seen)).toEqual(new Set([null, false]));
  const two = await start({ ...gate, id: 2 });
  // A first start needs both others; later starts do not.
  const three = await start({ ...gate, id: 3 });
  await expect.poll(() => three.status.leads, { timeout: 50_000 }).toBe(true);
  await three.close();
  nodes.delete(three);
  await expect.poll(() => [one.status.leader, two.status.leads], { timeout: 50_000 }).toEqual([2, true]);
  expect(two.status.token).toBeGreaterThan(41);
  expect(one.status.token).toBe(two.status.token);
});

it('an event finds its reader told of the leader in the status, also if only time has changed it', async () => {
  const members = await localMembers(3);
  const [three, ...others] = [3, 2, 1];
  const seen: unknown[] = [];
  let told: number | null = null;
  const onEvent = (event: ClusterNodeEvent): void => {
    if (event.type === 'leader') told = event.leader;
    seen.push([event.type, told, leading?.status.leader ?? null]);
  };
  const gate = { members, quorum: true, leaseMs: 600, heartbeatMs: 50 };
  for (const id of others) await start({ ...gate, id });
  let leading: ClusterNode | undefined;
  leading = await start({ ...gate, id: three, onEvent });
  await expect.poll(() => leading.status.leads, LIMIT).toBe(true);
  // Its lease lapses while this process does nothing else; the next event comes before its timers.
  const untilMs = performance.now() + 1_000;
  while (performance.now() < untilMs);
  seen.length = 0;
  leading.cut(others);
  expect(seen).toEqual([
    ['leader', null, null],
    ['wire', null, null],
    ['wire', null, null],
  ]);
});

it('a member that is told of a new epoch names no leader until one is elected in it', async () => {
  const members = await localMembers(3);
  const wrong: unknown[] = [];
  const tokens = new Set<unknown>();
  const begin = (id: number): Promise<ClusterNode> => {
    let epoch: number | null = null;
    const onEvent = (event: ClusterNodeEvent): void => {
      if (event.type === 'member' && event.event.type === 'epoch') epoch = event.event.epoch?.number ?? null;
      if (event.type !== 'leader' || event.leader === null) return;
      tokens.add(event.token);
      if (event.token !== epoch) wrong.push({ id, epoch, event });
    };
    return start({ members, id, algorithm: changRoberts, heartbeatMs: 50, onEvent });
  };
  const [one, two] = [await begin(1), await begin(2)];
  await expect.poll(() => [one, two].map(({ status }) => status.leader), LIMIT).toEqual([2, 2]);
  const three = await begin(3);
  for (let term = 1; term <= 3; term++) {
    await expect.poll(() => [one, two, three].map(({ status }) => status.leader), LIMIT).toEqual([3, 3, 3]);
    const before = three.status.token ?? 0;
    three.resign();
    await expect.poll(() => three.status.token ?? 0, LIMIT).toBeGreaterThan(before);
  }
  expect(tokens.size).toBeGreaterThanOrEqual(4);
  expect(wrong).toEqual([]);
});

it('serves status, health, readiness, metrics and events to this machine only', async () => {
  const members = await localMembers(1);
  const node = await start({ members, id: 1, onEvent: (event) => server?.send(event) });
  const server = await serveNode(0, () => node.status);
  try {
    await expect.poll(() => node.status.leads).toBe(true);
    const get = async (path: string, headers = {}): Promise<[number, string]> => {
      const answer = await fetch(`${server.url}${path}`, { headers });
      return [answer.status, await answer.text()];
    };
    expect(JSON.parse((await get('status'))[1])).toMatchObject({ id: 1, leader: 1, leads: true });
    expect(await get('healthz')).toEqual([200, 'running\n']);
    expect(await get('readyz')).toEqual([200, 'leader 1\n']);
    const [, metrics] = await get('metrics');
    expect(metrics).toContain('hustings_member_leads{cluster="demo",member="1"} 1\n');
    expect(metrics).toContain('hustings_member_lapses_total{cluster="demo",member="1"} 0\n');
    expect(metrics).toContain('hustings_member_frames_sent_total{cluster="demo",member="1"} ');
    expect((await get('nothing'))[0]).toBe(404);
    expect((await get('status', { origin: 'http://evil.example' }))[0]).toBe(403);
    const stream = await fetch(`${server.url}events`);
    const { value } = (await stream.body?.getReader().read()) ?? {};
    expect(new TextDecoder().decode(value)).toContain('retry:');
    await node.close();
    nodes.delete(node);
    expect(await get('healthz')).toEqual([503, 'stopped\n']);
    expect((await get('readyz'))[0]).toBe(503);
  } finally {
    await server.close();
  }
});

it('a member with another lease, quorum or algorithm is refused by both sides, with one line that names both values', async () => {
  const members = await localMembers(2);
  const told: string[] = [];
  const note = (event: ClusterNodeEvent): void => {
    if (event.type !== 'wire') return;
    if (event.event.type === 'refused' || event.event.type === 'refused-by-peer') told.push(event.event.text);
  };
  await start({ members, id: 1, quorum: true, onEvent: note });
  const others: Partial<ClusterNodeOptions>[] = [{ quorum: true, leaseMs: 15_000 }, {}, { algorithm: raft }];
  for (const [at, other] of others.entries()) {
    const options = { ...other, folder: join(folder, `other-${at}`), onEvent: note };
    const node = await start({ members, id: 2, ...options });
    await expect.poll(() => told.length, { timeout: 20_000, interval: 5 }).toBe(2 * (at + 1));
    expect(node.status.connected).toEqual([]);
    nodes.delete(node);
    await node.close();
  }
  const texts = [
    'lease of member 1 is 2000 ms, and that of member 2 is 15000 ms',
    'quorum of member 1 is on, and that of member 2 is off',
    'algorithm of member 1 is bully, and that of member 2 is raft',
  ].map((text) => `the ${text}; give all members the same`);
  expect(told).toEqual(texts.flatMap((text) => [text, text]));
});
