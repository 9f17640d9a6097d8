/** In virtual time: what a silent member does to a small cluster, if the leader adds it, and that the leader does not. */
import { expect, test } from 'vitest';
import { raft } from '../../../study/src/algorithms/index.ts';
import type { MemberChange } from '../../src/membership/list-change.ts';
import type { ListRecord } from '../../src/membership/list-record.ts';
import { SimulatedCluster, UNIT_MS } from '../simulated-cluster.ts';

/** Members of a list of `listed`; member 3 is not in it. `isBlind` takes out the check of a process that is to be added. */
function clusterOf(listed: readonly number[], isBlind = false): SimulatedCluster {
  const member = (id: number) => ({ id, address: `127.0.0.1:700${id}` });
  const record: ListRecord = { stamp: 0, version: 1, origin: 0, members: listed.map(member) };
  const cluster: SimulatedCluster = new SimulatedCluster({
    algorithm: raft,
    ids: [1, 2, 3],
    seed: 1,
    listsOf: (id, time) => ({
      record: listed.includes(id) ? record : null,
      isJoining: !listed.includes(id),
      unitMs: () => UNIT_MS,
      save: () =>
        new Promise((resolve) => {
          time.after(1, () => {
            time.hasSettled = true;
            resolve();
          });
        }),
      reaches: (other) => isBlind || cluster.processes.has(other),
      connect: () => undefined,
      onCommitted: () => undefined,
    }),
  });
  for (const id of listed) cluster.start(id);
  return cluster;
}

const leads = (cluster: SimulatedCluster): number | undefined =>
  cluster.living.find((id) => cluster.statusOf(id).role === 'leader');

/** Asks each leader until one does not answer that a change is under way: returns the refusal, or the new list. */
async function ask(cluster: SimulatedCluster, change: (leader: number) => MemberChange) {
  let answer: string | number[] = '';
  const isAnswered = (): boolean => {
    const leader = leads(cluster);
    if (leader === undefined) return false;
    try {
      const record = cluster.processes.get(leader)?.runtime.changeMembers(change(leader));
      answer = record?.members.map(({ id }) => id) ?? [];
    } catch (error) {
      answer = (error as Error).message;
    }
    return typeof answer !== 'string' || !answer.includes('under way');
  };
  expect(await cluster.time.runUntil(cluster.time.nowMs + 20_000, isAnswered)).toBe(true);
  return answer;
}

/** Whether there is a leader after 20 s in which it could have been elected. */
async function isLed(cluster: SimulatedCluster): Promise<boolean> {
  await cluster.time.runUntil(cluster.time.nowMs + 20_000);
  return leads(cluster) !== undefined;
}

const add = (): MemberChange => ({ type: 'add', member: { id: 3, address: '127.0.0.1:7003' } });

test('a silent member that is added to one or two ends their lead for good, and is refused', async () => {
  const one = clusterOf([1], true);
  expect(await ask(one, add)).toEqual([1, 3]);
  expect(await isLed(one)).toBe(false);

  const alone = clusterOf([1]);
  expect(await ask(alone, add)).toBe(
    'member 3 does not answer at 127.0.0.1:7003; start it with join, then repeat',
  );
  expect(await isLed(alone)).toBe(true);
  alone.start(3);
  expect(await ask(alone, add)).toEqual([1, 3]);
  expect(await isLed(alone)).toBe(true);
});

test('a member that runs is not removed while another one is down, and the one that is down may be', async () => {
  const cluster = clusterOf([1, 2, 3]);
  await cluster.agree(20_000);
  const down = cluster.living.find((id) => id !== leads(cluster)) as number;
  cluster.crash(down);
  await cluster.time.runUntil(cluster.time.nowMs + 5_000);
  const other = (leader: number): number => [1, 2, 3].find((id) => id !== leader && id !== down) as number;
  const refused = await ask(cluster, (leader) => ({ type: 'remove', id: other(leader) }));
  expect(refused).toMatch(/^the members that answer \([123]\) would be no majority of [123], [123]; start/);
  expect(await isLed(cluster)).toBe(true);
  expect(await ask(cluster, () => ({ type: 'remove', id: down }))).toHaveLength(2);
  expect(await isLed(cluster)).toBe(true);
});
