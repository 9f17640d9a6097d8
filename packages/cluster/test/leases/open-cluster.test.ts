/** Electors of three members in one process, over real sockets. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../../test-kit/until.ts';
import { ClusterClosedError, createElector, type Elector, type Lead } from '../../../hustings/src/index.ts';
import { overlaps } from '../../../hustings/src/lease/audit.ts';
import { bully } from '../../../study/src/algorithms/index.ts';
import { type Cluster, type ClusterOptions, openCluster } from '../../src/leases/open-cluster.ts';
import type { MemberList } from '../../src/member-list/member-list.ts';
import { localMembers, SECURITY } from '../wire/wire-cluster.ts';

const LIMIT_MS = 60_000;
let folder = '';
const clusters = new Set<Cluster>();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hustings-open-'));
});
afterEach(async () => {
  await Promise.all([...clusters].map((cluster) => cluster.close()));
  clusters.clear();
  rmSync(folder, { recursive: true, force: true });
});

function open(members: MemberList, id: number, options: Partial<ClusterOptions> = {}): Cluster {
  const cluster = openCluster({
    ...{ members, id, algorithm: 'raft', security: SECURITY, folder: join(folder, `member-${id}`) },
    ...options,
  });
  clusters.add(cluster);
  return cluster;
}

interface Served {
  readonly id: number;
  readonly cluster: Cluster;
  readonly elector: Elector;
}

/** One term of the work of a member, by the clock of this process. */
interface Shift {
  readonly member: Served;
  readonly lead: Lead;
  readonly startMs: number;
  endMs: number | null;
}

describe.each<[string, Partial<ClusterOptions>]>([
  ['raft', { algorithm: 'raft', heartbeatMs: 200 }],
  ['bully with a quorum', { algorithm: 'bully', quorum: true, leaseMs: 1_000, heartbeatMs: 50 }],
])('three members that elect by %s', (_, options) => {
  it(
    'have one leader at a time, with rising tokens: through a cut, a release, and when the leader leaves',
    async () => {
      const members = await localMembers(3);
      const shifts: Shift[] = [];
      const stop = new AbortController();
      const served = members.members.map(({ id }): Served => {
        const cluster = open(members, id, options);
        return { id, cluster, elector: createElector({ cluster, name: 'job' }) };
      });
      const work = async (member: Served, lead: Lead): Promise<void> => {
        const shift: Shift = { member, lead, startMs: performance.now(), endMs: null };
        shifts.push(shift);
        await lead.ended;
        shift.endMs = performance.now();
      };
      const failures: unknown[] = [];
      const closed: unknown[] = [];
      const campaigns = served.map(({ elector }, index) =>
        elector
          .campaign((lead) => work(served[index], lead), { signal: stop.signal })
          .catch((error) => (error instanceof ClusterClosedError ? closed : failures).push(error)),
      );
      const current = async (after?: Shift): Promise<Shift> => {
        const isCurrent = (shift: Shift | undefined): shift is Shift =>
          shift !== undefined && shift !== after && shift.lead.isValid();
        await until(() => failures.length > 0 || isCurrent(shifts.at(-1)));
        expect(failures).toEqual([]);
        return shifts.at(-1)!;
      };

      const first = await current();
      await until(async () => {
        const views = await Promise.all(served.map(({ elector }) => elector.leader()));
        return views.every((view) => view.type === 'led' && view.holder === `${first.member.id}`);
      });

      const others = served.filter((member) => member !== first.member);
      first.member.cluster.cut(others.map(({ id }) => id));
      for (const { cluster } of others) cluster.cut([first.member.id]);
      const second = await current(first);
      expect(second.member).not.toBe(first.member);
      for (const { cluster } of served) cluster.cut([]);

      await second.lead.release();
      const third = await current(second);

      clusters.delete(third.member.cluster);
      const closing = third.member.cluster.close();
      const fourth = await current(third);
      await closing;
      expect(fourth.member).not.toBe(third.member);

      await until(() => closed.length === 1);

      stop.abort();
      await Promise.all(campaigns);
      const seen = shifts.map(({ lead, startMs, endMs }) => ({
        ...{ ...lead.term, startMs, endMs, cause: null, claimedUntilMs: startMs, metadata: null },
      }));
      expect(overlaps(seen)).toEqual([]);
      const known = await fourth.member.elector.history();
      expect(known).toContainEqual(
        expect.objectContaining({ holder: fourth.lead.term.holder, token: fourth.lead.token }),
      );
      expect(known.every(({ token }, index) => index === 0 || token < known[index - 1].token)).toBe(true);
    },
    LIMIT_MS,
  );
});

it('without a majority the capabilities deny mutual exclusion, and the process warns once', async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning);
  process.on('warning', onWarning);
  try {
    for (const [id, algorithm] of [
      [1, bully],
      [2, 'chang-roberts'],
    ] as const) {
      const members = await localMembers(2);
      const one = { ...members, members: members.members.filter((member) => member.id === id) };
      const cluster = open(one, id, { algorithm });
      const { capabilities } = await cluster.leases();
      expect(capabilities).toMatchObject({
        expiry: 'suspicion',
        survivesCrash: false,
        survivesFailover: false,
      });
      expect(capabilities.caveats[0]).toMatch(/^There is no mutual exclusion/);
      const token = await createElector({ cluster, name: 'job' }).runOnce((lead) => lead.token);
      const again = await createElector({ cluster, name: 'job' }).runOnce((lead) => lead.token);
      expect(again).toBeGreaterThan(token);
    }
    await until(() => warnings.length > 0);
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /by bully without a majority, so a network split gives each side a leader; give quorum/,
      ),
    ]);
  } finally {
    process.off('warning', onWarning);
  }
});

it('with a majority they promise it, by the lease of the algorithm or by the gate', async () => {
  for (const [id, options] of [
    [1, { algorithm: 'raft' }],
    [2, { algorithm: 'bully', quorum: true }],
  ] as const) {
    const cluster = open(await localMembers(2), id, options);
    expect((await cluster.leases()).capabilities).toMatchObject({ expiry: 'clock', survivesFailover: true });
  }
});

it('options that cannot work are refused at once, each in one line', async () => {
  const members = await localMembers(2);
  expect(() => open(members, 3)).toThrow('id must be a member of the cluster demo (1, 2), not 3');
  expect(() => open(members, 1, { folder: undefined })).toThrow('folder is required');
  expect(() => open(members, 1, { lease: 5 } as never)).toThrow(
    "openCluster has no option 'lease'; did you mean leaseMs?",
  );
  const missing = join(folder, 'none.json');
  expect(() => open(missing as never, 1)).toThrow(/^the member file .*none\.json cannot be read: ENOENT/);
  writeFileSync(missing, '[]');
  expect(() => open(missing as never, 1)).toThrow(/^the member list must be an object/);
  const cluster = open(members, 1, { algorithm: 'rafft' });
  const elector = createElector({ cluster, name: 'job' });
  await expect(elector.leader()).rejects.toThrow("there is no algorithm 'rafft'; did you mean raft?");
});

it('a member that could not start is started by the next call, and one that was closed is not', async () => {
  const members = await localMembers(1);
  const server = createServer();
  const port = Number(members.members[0].address.split(':')[1]);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const cluster = open(members, 1);
  const elector = createElector({ cluster, name: 'job' });
  await expect(elector.runOnce(() => 1)).rejects.toThrow(/^member 1 cannot listen: .* is in use/);
  await new Promise((resolve) => server.close(resolve));
  expect(await elector.runOnce(() => 1)).toBe(1);
  await cluster.close();
  await expect(elector.leader()).rejects.toThrow('was closed by this process; open it again');
  await expect(elector.runOnce(() => 1)).rejects.toThrow(ClusterClosedError);
  const another = createElector({ cluster, name: 'job' });
  await expect(another.runOnce(() => 1)).rejects.toThrow('was closed by this process; open it again');
  await expect(cluster.leases()).rejects.toThrow('was closed by this process; open it again');
});
