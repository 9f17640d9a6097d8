/** An algorithm that needs a majority itself, between members with real clocks, disks and sockets. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { itaiRodeh, raft } from '../../../study/src/algorithms/index.ts';
import { type ClusterNode, type ClusterNodeOptions, startNode } from '../../src/host/cluster-node.ts';
import { writeFirstToken } from '../../src/host/member-folder.ts';
import { PROCESS_CLOCK } from '../../src/host/process-clock.ts';
import { parseTrace, type StepLine } from '../../src/record/parse-trace.ts';
import { localMembers, SECURITY } from '../wire/wire-cluster.ts';

const LIMIT = { timeout: 40_000, interval: 5 };
let folder = '';
let nodes: ClusterNode[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hustings-raft-'));
});
afterEach(async () => {
  for (const node of nodes) await node.close();
  nodes = [];
  rmSync(folder, { recursive: true, force: true });
});

async function startThree(options: Partial<ClusterNodeOptions> = {}): Promise<void> {
  const members = await localMembers(3);
  for (const id of [1, 2, 3]) {
    const own = { folder: join(folder, `member-${id}`), recordTo: join(folder, 'recordings') };
    nodes.push(
      await startNode({
        members,
        id,
        algorithm: raft,
        security: SECURITY,
        heartbeatMs: 50,
        unitMs: 10,
        ...own,
        ...options,
      }),
    );
  }
}

/** The leader that all members follow. */
function leader(): ClusterNode | undefined {
  const leads = nodes.find(({ status }) => status.leads);
  const { id, token } = leads?.status ?? {};
  return nodes.every(({ status }) => status.leader === id && status.token === token) ? leads : undefined;
}

/** By member: the milliseconds from its recovery to the first vote that it granted, by the wall clock. */
function firstVotes(): number[] {
  return [1, 2, 3].flatMap((id) => {
    const file = `${id}.trace`;
    const steps = parseTrace({ file, text: readFileSync(join(folder, 'recordings', file), 'utf8') })
      .map(({ entry }) => entry)
      .filter((entry): entry is StepLine => entry.type === 'step');
    const recovered = steps.find(({ step }) => step.startsWith('recover'));
    const voted = steps.find(({ sent }) => sent.some(({ message }) => /^vote .*granted=true/.test(message)));
    return recovered === undefined || voted === undefined ? [] : [voted.at - recovered.at];
  });
}

it('terms begin above the first token; a leader knows until when it leads; one that resigns is replaced', async () => {
  for (const id of [1, 2, 3])
    await writeFirstToken(join(folder, `member-${id}`), { cluster: 'demo', id }, 41);
  await startThree();
  await expect.poll(leader, LIMIT).toBeDefined();
  const first = leader() as ClusterNode;
  const { exclusive, leadsUntilMs, term, token } = first.status;
  expect(token).toBeGreaterThan(41);
  expect(token).toBe(term);
  expect(exclusive).toBe(true);
  // 2T are 20 units of 10 ms, minus a tenth.
  expect(leadsUntilMs).toBeLessThanOrEqual(performance.now() + 180);
  for (const { status } of nodes) if (!status.leads) expect(status.leadsUntilMs).toBeNull();
  first.resign();
  expect(first.status).toMatchObject({ leads: false, leader: null, token: null, leadsUntilMs: null });
  await expect.poll(leader, LIMIT).toBeDefined();
  expect(leader()?.status.token).toBeGreaterThan(token as number);
  // They began with the fields of a member that has recovered, so that nobody voted for 2T.
  const waits = firstVotes();
  expect(waits.length).toBeGreaterThan(0);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(199);
});

it('a quorum is refused for an algorithm with a majority of its own, and for members without ids', async () => {
  await expect(startThree({ quorum: true })).rejects.toThrow(
    'quorum must be left out: raft needs a majority itself',
  );
  await expect(startThree({ quorum: true, algorithm: itaiRodeh })).rejects.toThrow(
    'quorum must be left out: members of itai-rodeh have no ids, so nobody knows whom to support',
  );
});

it('a timer of a member never fires early', async () => {
  for (const delayMs of [0, 0.4, 1.5, 1.9, 7.3]) {
    const beganMs = performance.now();
    const firedMs = await new Promise<number>((resolve) =>
      PROCESS_CLOCK.after(delayMs, () => resolve(performance.now())),
    );
    expect(firedMs - beganMs).toBeGreaterThanOrEqual(delayMs);
  }
});

it('anonymous members are ready when one of them leads, although the others cannot name it', async () => {
  await startThree({ algorithm: itaiRodeh, unitMs: undefined });
  await expect.poll(() => nodes.filter(({ status }) => status.leads).length, LIMIT).toBe(1);
  await expect.poll(() => nodes.map(({ status }) => status.isReady), LIMIT).toEqual([true, true, true]);
  expect(nodes.filter(({ status }) => status.leader === null)).toHaveLength(2);
}, 60_000);
