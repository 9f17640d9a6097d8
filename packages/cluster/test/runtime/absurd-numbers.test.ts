/**
 * One faulty member names numbers that are far ahead: terms, epochs, stamps and versions of member lists. Tokens of the gate:
 * ../gate/absurd-tokens.test.ts.
 */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { bully, changRoberts, raft } from '../../../study/src/algorithms/index.ts';
import { registry } from '../../../study/src/algorithms/registry.ts';
import { ringMax } from '../../../study/src/algorithms/ring/ring-max.ts';
import type { AnyAlgorithm } from '../../../study/src/kernel/algorithm.ts';
import { MAX_WORD } from '../../../study/src/kernel/field.ts';
import { counter, defineAlgorithm, message } from '../../../study/src/kernel/index.ts';
import { MAX_INCREMENT } from '../../src/gate/term-increment-limiter.ts';
import type { ListRecord } from '../../src/membership/list-record.ts';
import { checkMember } from '../../src/runtime/member-options.ts';
import type { Frame } from '../../src/transport.ts';
import { LARGEST_EPOCH } from '../../src/view/parse-view.ts';
import { replayCluster, violationsOf } from '../record/recorded-run.ts';
import { SimulatedCluster } from '../simulated-cluster.ts';
import {
  agreed,
  attack,
  electAgain,
  frameOf,
  largestTerm,
  MEMBERS,
  record,
  refusals,
  VICTIMS,
  view,
  WITHIN_MS,
  withLists,
  withoutLimit,
  withTerm,
} from './absurd-numbers.ts';

afterEach(() => void vi.restoreAllMocks());

function hasTerms(algorithm: AnyAlgorithm): boolean {
  try {
    checkMember({ algorithm, members: [1, 2, 3], self: 1, unitMs: 1 });
    return algorithm.termField !== undefined;
  } catch {
    return false;
  }
}

describe('the largest term', () => {
  const algorithms = registry.filter(hasTerms).map((algorithm) => [algorithm.name, algorithm] as const);

  test.each(algorithms)(
    '%s: each message is refused in one line, and the members elect again',
    async (_, algorithm) => {
      const cluster = await agreed(algorithm);
      const [term, leaders] = [largestTerm(cluster), cluster.living.map((id) => cluster.statusOf(id).leader)];
      let frames = 0;
      for (const id of VICTIMS) {
        const hostile = withTerm(cluster, id, MAX_WORD);
        frames += hostile.length;
        await attack(cluster, hostile, [id]);
      }
      expect(frames).toBeGreaterThan(0);
      expect(refusals(cluster)).toHaveLength(frames);
      for (const line of refusals(cluster))
        expect(line).toMatch(
          /^its term 2147483647 is too far above \d+, the largest known here: stop that member if it is faulty; if this one has missed that many elections, start it with a new id$/,
        );
      expect(largestTerm(cluster)).toBe(term);
      expect(cluster.living.map((id) => cluster.statusOf(id).leader)).toEqual(leaders);
      await electAgain(cluster);
      expect(largestTerm(cluster)).toBeLessThan(1_000);
      expect(violationsOf(replayCluster(cluster))).toEqual([]);
    },
  );

  test.each([
    ['raft', raft, MAX_WORD],
    ['bully', bully, MAX_WORD - 3],
    ['ring-max', ringMax, MAX_WORD - 3],
  ] as const)('%s: without the check there is no election any more', async (_, algorithm, term) => {
    withoutLimit();
    const cluster = await agreed(algorithm);
    for (const id of VICTIMS) await attack(cluster, withTerm(cluster, id, term), [id]);
    await expect(electAgain(cluster).then(() => electAgain(cluster))).rejects.toThrow('no agreement');
  });

  test('an algorithm whose messages name the term otherwise is protected by what its handler does', async () => {
    const eras = defineAlgorithm({
      name: 'eras',
      title: 'Eras',
      source: 'a test',
      cost: 'n',
      laws: [],
      params: {},
      assumes: {
        network: 'complete',
        timing: 'asynchronous',
        ids: 'unique',
        fifo: false,
        knows: ['neighbours'],
        faults: ['crash', 'recover', 'loss'],
      },
      state: { era: counter(MAX_WORD, { durable: true }) },
      messages: { hello: message(['years', counter(MAX_WORD)]) },
      termField: 'era',
      onStart: () => undefined,
      onRestart: () => undefined,
      on: {
        hello(state, _port, { years }) {
          if (years > state.era) state.era = years;
        },
      },
    });
    const cluster = new SimulatedCluster({ algorithm: eras, ids: [1, 2, 3], seed: 5 });
    cluster.startAll();
    await cluster.time.runUntil(1_000);
    const hello = (years: number): Frame => frameOf({ type: 'hello', years });
    await attack(cluster, [hello(7), hello(MAX_WORD), hello(8)]);
    expect(cluster.disks.get(2)?.record?.durable).toEqual({ era: 8 });
    expect(refusals(cluster)).toHaveLength(2);
  });

  test('the largest term that a member accepts costs an election, and the members agree again', async () => {
    const cluster = await agreed(raft);
    const term = largestTerm(cluster) + MAX_INCREMENT;
    await attack(cluster, [frameOf({ type: 'heartbeat', term, round: 1 })], [2]);
    expect(refusals(cluster)).toEqual([]);
    await cluster.agree(WITHIN_MS);
    expect(largestTerm(cluster)).toBeGreaterThan(term);
    const absurd = largestTerm(cluster) + MAX_INCREMENT + 1;
    await attack(cluster, [frameOf({ type: 'heartbeat', term: absurd, round: 1 })]);
    expect(refusals(cluster)).toHaveLength(2);
    await electAgain(cluster);
  });
});

test.each([true, false])(
  'raft with prevote=%s: a member that was cut off ends the lead only without it',
  async (prevote) => {
    const cluster = await agreed(raft, { set: { prevote } });
    const { leader, term } = cluster.statusOf(1);
    const follower = leader === 3 ? 2 : 3;
    for (const id of [1, 2, 3]) cluster.network.cut(id, follower);
    await cluster.time.runUntil(cluster.time.nowMs + 10_000);
    cluster.network.heal();
    await cluster.agree(WITHIN_MS);
    const { leader: next, term: later } = cluster.statusOf(follower);
    if (prevote) expect({ leader: next, term: later }).toEqual({ leader, term });
    else expect(later).toBeGreaterThan(term + 3);
  },
);

describe('the largest epoch', () => {
  const hostile = [view(LARGEST_EPOCH, null), view(3, LARGEST_EPOCH), view(LARGEST_EPOCH, LARGEST_EPOCH)];

  test('each view is refused in one line, and the members elect again', async () => {
    const cluster = await agreed(changRoberts);
    const term = largestTerm(cluster);
    await attack(cluster, hostile);
    expect(refusals(cluster)).toHaveLength(2 * hostile.length);
    expect(refusals(cluster)[0]).toMatch(
      /^its epoch 281474976710656 is too far above \d+, the largest known here: /,
    );
    expect(largestTerm(cluster)).toBe(term);
    await electAgain(cluster);
    expect(largestTerm(cluster)).toBeLessThan(1_000);
  });

  test('without the check there is no epoch any more', async () => {
    withoutLimit();
    const cluster = await agreed(changRoberts);
    await attack(cluster, hostile);
    await expect(electAgain(cluster)).rejects.toThrow('no agreement');
  });

  test('messages of epochs to come are kept for each member apart: one cannot take the place of all', async () => {
    const cluster = await agreed(changRoberts);
    const early = frameOf({ type: 'probe', id: 1 }, { epoch: largestTerm(cluster) + 1_000, proposer: 1 });
    const absurd = { ...early, epoch: LARGEST_EPOCH };
    const { stale } = cluster.statusOf(2).counts;
    await attack(cluster, [...Array(1_200).fill(early), absurd], [2]);
    expect(cluster.statusOf(2).counts.stale - stale).toBe(200);
    expect(refusals(cluster)).toHaveLength(1);
    const other = { ...early, epoch: largestTerm(cluster) + 500 };
    cluster.network.processes.get(3)?.send(2, other);
    await cluster.time.runUntil(cluster.time.nowMs + 300);
    expect(cluster.statusOf(2).counts.stale - stale).toBe(200);
  });

  test('messages of epochs to come are kept up to a megabyte', async () => {
    const cluster = await agreed(changRoberts);
    const junk = { type: 'probe', id: 1, junk: 'x'.repeat(60_000) };
    const early = frameOf(junk, { epoch: largestTerm(cluster) + 1_000, proposer: 1 });
    const { stale } = cluster.statusOf(2).counts;
    await attack(cluster, Array(100).fill(early), [2]);
    expect(cluster.statusOf(2).counts.stale - stale).toBe(84);
  });
});

describe('a member list', () => {
  const proposes = (cluster: SimulatedCluster): number | undefined => {
    const leader = cluster.living.find((id) => cluster.statusOf(id).role === 'leader') ?? 0;
    const member = { id: 9, address: '127.0.0.1:7009' };
    return cluster.processes.get(leader)?.runtime.changeMembers({ type: 'add', member }).version;
  };
  const stampOf = (cluster: SimulatedCluster): number => cluster.processes.get(2)?.runtime.list?.stamp ?? 0;

  test.each([
    [
      'with the largest stamp',
      () => record({ stamp: MAX_WORD, version: 2, origin: 1 }),
      /its term 2147483647 is too far/,
    ],
    [
      'with a version that no leader can have reached',
      (stamp: number) => record({ stamp: stamp + 1, version: 4, origin: stamp + 1 }),
      /^its member list has version 4, and leaders up to term \d+ made at most version 3: stop that member$/,
    ],
    [
      'that was proposed after its stamp',
      (stamp: number) => record({ stamp: stamp + 1, version: 2, origin: stamp + 2 }),
      /^its member list was proposed in term \d+, after its stamp \d+$/,
    ],
  ] as const)('%s is refused in one line, and the leader can change the list', async (_, hostile, line) => {
    const cluster = await agreed(raft, withLists());
    await cluster.time.runUntil(cluster.time.nowMs + 2_000);
    await attack(cluster, [hostile(stampOf(cluster))]);
    expect(refusals(cluster)).toHaveLength(2);
    expect(refusals(cluster)[0]).toMatch(line);
    await electAgain(cluster);
    await cluster.time.runUntil(cluster.time.nowMs + 2_000);
    expect(proposes(cluster)).toBe(2);
  });

  test('without the check a stamp ends all elections', async () => {
    withoutLimit();
    const cluster = await agreed(raft, withLists());
    await attack(cluster, [record({ stamp: MAX_WORD })]);
    expect(stampOf(cluster)).toBe(MAX_WORD);
    await expect(electAgain(cluster)).rejects.toThrow('no agreement');
  });

  test.each([[VICTIMS], [[2]]])(
    'with a stamp that members %j accept costs an election, and then the leader can change the list',
    async (victims) => {
      const cluster = await agreed(raft, withLists());
      await cluster.time.runUntil(cluster.time.nowMs + 2_000);
      await attack(cluster, [record({ stamp: 2 ** 29 })], victims);
      await cluster.agree(WITHIN_MS);
      await cluster.time.runUntil(cluster.time.nowMs + 2_000);
      expect(stampOf(cluster)).toBeGreaterThan(2 ** 29);
      expect(stampOf(cluster)).toBeLessThan(2 ** 29 + 100);
      expect(proposes(cluster)).toBe(2);
      expect(refusals(cluster)).toEqual([]);
      expect(violationsOf(replayCluster(cluster))).toEqual([]);
    },
  );

  test('whose stamp is above the terms on all disks can be changed after a start', async () => {
    const stamp = 2 ** 29;
    const list: ListRecord = { stamp, version: 1, origin: 0, members: MEMBERS };
    const cluster = await agreed(raft, withLists([1, 2, 3], list));
    expect(largestTerm(cluster)).toBeGreaterThan(stamp);
    await cluster.time.runUntil(cluster.time.nowMs + 2_000);
    expect(proposes(cluster)).toBe(2);
    expect(violationsOf(replayCluster(cluster))).toEqual([]);
  });
});

describe('what is far ahead and right is accepted:', () => {
  /** The largest number above which a cluster may begin. */
  const LARGE = 2 ** 30 - 2 ** 20 - 1;

  test.each([
    ['raft', raft],
    ['bully', bully],
  ] as const)('%s: a member that returns after half a million elections', async (_, algorithm) => {
    const cluster = await agreed(algorithm);
    for (const id of [1, 2, 3]) cluster.crash(id);
    for (const id of [1, 2]) {
      const disk = cluster.disks.get(id);
      if (disk?.record) disk.record = { ...disk.record, durable: { ...disk.record.durable, term: 500_000 } };
      cluster.start(id);
    }
    await cluster.agree(WITHIN_MS);
    cluster.start(3);
    await cluster.agree(WITHIN_MS);
    expect(largestTerm(cluster)).toBeGreaterThan(500_000);
    expect(refusals(cluster)).toEqual([]);
  });

  test.each([
    ['raft', raft],
    ['bully', bully],
    ['ring-max', ringMax],
    ['chang-roberts', changRoberts],
  ] as const)(
    '%s: to a member that starts with nothing, among others that began above a large token',
    async (_, algorithm) => {
      let firstTerm = LARGE;
      const cluster = new SimulatedCluster({
        ...{ algorithm, ids: [1, 2, 3], seed: 5 },
        get firstTerm() {
          return firstTerm;
        },
      });
      cluster.start(1);
      cluster.start(2);
      await cluster.agree(WITHIN_MS);
      firstTerm = 0;
      for (const id of [1, 2]) cluster.network.cut(id, 3);
      cluster.start(3);
      // Where no majority is needed, it has a number of its own before it hears of theirs.
      await cluster.time.runUntil(cluster.time.nowMs + 5_000);
      expect(cluster.statusOf(3).term > 0).toBe(algorithm !== raft);
      cluster.network.heal();
      await cluster.agree(WITHIN_MS);
      expect(largestTerm(cluster)).toBeGreaterThan(LARGE);
      expect(refusals(cluster)).toEqual([]);
    },
  );

  test('to a member that joins', async () => {
    let firstTerm = LARGE;
    const cluster = new SimulatedCluster({
      ...{ algorithm: raft, ids: [1, 2, 3], seed: 5 },
      ...withLists([1, 2, 3, 4]),
      get firstTerm() {
        return firstTerm;
      },
    });
    for (const id of [1, 2, 3]) cluster.start(id);
    await cluster.agree(WITHIN_MS);
    await cluster.time.runUntil(cluster.time.nowMs + 2_000);
    firstTerm = 0;
    cluster.start(4);
    await cluster.time.runUntil(cluster.time.nowMs + 1_000);
    const leader = cluster.living.find((id) => cluster.statusOf(id).role === 'leader') ?? 0;
    const member = { id: 4, address: '127.0.0.1:7004' };
    cluster.processes.get(leader)?.runtime.changeMembers({ type: 'add', member });
    await cluster.time.runUntil(cluster.time.nowMs + 2_000);
    await cluster.agree(WITHIN_MS);
    expect(cluster.statusOf(4)).toMatchObject({ state: 'running', members: [1, 2, 3, 4] });
    expect(refusals(cluster)).toEqual([]);
  });

  test.each([
    ['raft', raft],
    ['bully', bully],
    ['ring-max', ringMax],
  ] as const)('%s: a young cluster in which one member was raised far elects on', async (_, algorithm) => {
    const cluster = await agreed(algorithm);
    for (const id of VICTIMS) await attack(cluster, withTerm(cluster, id, LARGE), [id]);
    await electAgain(cluster);
    await electAgain(cluster);
    expect(largestTerm(cluster)).toBeGreaterThan(LARGE);
    expect(refusals(cluster)).toEqual([]);
  });
});
