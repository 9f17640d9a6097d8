/** A cluster in virtual time whose leaders change the member list at random, under crashes and cuts. */
import { raft } from '../../../study/src/algorithms/index.ts';
import { Random } from '../../../study/src/kernel/random.ts';
import { type ListRecord, mayStore } from '../../src/membership/list-record.ts';
import { SimulatedCluster, UNIT_MS } from '../simulated-cluster.ts';

const IDS = [1, 2, 3, 4, 5];
const FIRST = [1, 2, 3];
const address = (id: number): string => `127.0.0.1:${7_000 + id}`;

export interface ChangingRun {
  readonly cluster: SimulatedCluster;
  /** How many changes were proposed, and the versions of the lists that were committed. */
  readonly proposed: number;
  readonly committed: ReadonlySet<number>;
  /** The members of the last list. */
  readonly members: readonly number[];
}

export async function changingRun(seed: number, faults: number): Promise<ChangingRun> {
  const random = new Random(seed, 'changes');
  const disks = new Map<number, ListRecord>();
  const committed = new Set<number>();
  const members = FIRST.map((id) => ({ id, address: address(id) }));
  for (const id of FIRST) disks.set(id, { stamp: 0, version: 1, origin: 0, members });
  const cluster = new SimulatedCluster({
    algorithm: raft,
    ids: IDS,
    seed,
    listsOf: (id, time) => ({
      record: disks.get(id) ?? null,
      isJoining: !FIRST.includes(id),
      unitMs: () => UNIT_MS,
      // A save that was under way at a crash may still reach the disk, but not after a newer one.
      save: (record) =>
        new Promise((resolve) => {
          time.after(1 + random.below(5), () => {
            if (mayStore(disks.get(id) ?? null, record)) disks.set(id, record);
            time.hasSettled = true;
            resolve();
          });
        }),
      // A process that is to be added may crash after it has answered.
      reaches: () => true,
      connect: () => undefined,
      onCommitted: ({ version }) => committed.add(version),
    }),
  });
  cluster.startAll();
  let proposed = 0;
  const later = (): Promise<boolean> => cluster.time.runUntil(cluster.time.nowMs + 200 + random.below(3_000));
  for (let k = 0; k < faults; k++) {
    await later();
    const fault = random.below(4);
    const id = IDS[random.below(IDS.length)];
    if (fault === 0) cluster.crash(id);
    else if (fault === 1) {
      for (const other of IDS) {
        cluster.network.cut(id, other);
        cluster.network.cut(other, id);
      }
    }
    proposed += change(cluster, random);
    await later();
    cluster.network.heal();
    for (const each of IDS) cluster.start(each);
  }
  const last = (): ListRecord => [...disks.values()].reduce((a, b) => (mayStore(a, b) ? b : a));
  const isAgreed = (): boolean => {
    const ids = last().members.map(({ id }) => id);
    const says = ids.map((id) => cluster.statusOf(id));
    const [{ leader, term }] = says;
    return (
      leader !== null &&
      ids.includes(leader) &&
      says.every((one) => one.leader === leader && one.term === term)
    );
  };
  await cluster.time.runUntil(cluster.time.nowMs + 5_000);
  if (!(await cluster.time.runUntil(cluster.time.nowMs + 20_000, isAgreed)))
    throw new Error(
      `no agreement, seed ${seed}: ${IDS.map((id) => JSON.stringify(cluster.statusOf(id))).join('\n')}`,
    );
  return { cluster, proposed, committed, members: last().members.map(({ id }) => id) };
}

/** Every member that leads proposes a change; 1 for each that it may. */
function change(cluster: SimulatedCluster, random: Random): number {
  let proposed = 0;
  for (const { runtime } of cluster.processes.values()) {
    if (runtime.status.role !== 'leader') continue;
    const id = IDS[random.below(IDS.length)];
    const isIn = runtime.status.members.includes(id);
    try {
      runtime.changeMembers(
        isIn ? { type: 'remove', id } : { type: 'add', member: { id, address: address(id) } },
      );
      proposed++;
    } catch (error) {
      if (!/under way|last one|no majority/.test(String(error))) throw error;
    }
  }
  return proposed;
}
