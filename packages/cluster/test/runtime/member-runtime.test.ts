import { describe, expect, test } from 'vitest';
import { bully } from '../../../study/src/algorithms/complete/bully.ts';
import { floodMax } from '../../../study/src/algorithms/graph/flood-max.ts';
import { raft } from '../../../study/src/algorithms/quorum/raft.ts';
import { changRoberts } from '../../../study/src/algorithms/ring/chang-roberts.ts';
import { InputError } from '../../../study/src/kernel/errors.ts';
import { Topology } from '../../../study/src/kernel/network/topology.ts';
import { parseStep } from '../../../study/src/kernel/world/step.ts';
import type { TraceLine } from '../../src/record/trace-line.ts';
import { jsonLines } from '../../src/record/trace-line.ts';
import { DurableOutbox, type MemberRecord } from '../../src/runtime/durable-outbox.ts';
import type { Frame } from '../../src/transport.ts';
import { SimulatedCluster } from '../simulated-cluster.ts';

const IDS = [1, 2, 3];
const WITHIN_MS = 10_000;

async function agreed(algorithm = raft as never, seed = 5): Promise<SimulatedCluster> {
  const cluster = new SimulatedCluster({ algorithm, ids: IDS, seed });
  cluster.startAll();
  await cluster.agree(WITHIN_MS);
  return cluster;
}

describe('messages of another member', () => {
  const bad: [string, Record<string, unknown>][] = [
    ['an unknown type', { body: { type: 'coup', term: 1 } }],
    ['no body', { body: null }],
    ['a missing field', { body: { type: 'requestVote', term: 1 } }],
    ['a term that is not a number', { body: { type: 'requestVote', term: 'NaN', round: 1 } }],
    ['a negative term', { body: { type: 'requestVote', term: -5, round: 1 } }],
    ['a fraction', { body: { type: 'requestVote', term: 1.5, round: 1 } }],
    ['an absurd term', { body: { type: 'requestVote', term: 2 ** 31, round: 1 } }],
    ['a port that leads elsewhere', { port: 1, body: { type: 'requestVote', term: 1, round: 1 } }],
    ['no port', { port: undefined, body: { type: 'requestVote', term: 1, round: 1 } }],
    ['an epoch that is no number', { epoch: 'x', body: { type: 'requestVote', term: 1, round: 1 } }],
  ];

  test.each(bad)('%s: dropped, counted and reported, and the member goes on', async (_, fields) => {
    const cluster = await agreed();
    const before = JSON.stringify(cluster.processes.get(2)?.runtime.fields);
    const frame = { type: 'message', epoch: 0, proposer: 0, port: 0, key: 'x', ...fields } as Frame;
    cluster.network.processes.get(1)?.send(2, frame);
    const isRefused = (): boolean => cluster.statusOf(2).counts.refused === 1;
    expect(await cluster.time.runUntil(cluster.time.nowMs + 40, isRefused)).toBe(true);
    expect(JSON.stringify(cluster.processes.get(2)?.runtime.fields)).toBe(before);
    expect(cluster.events.filter(({ event, id }) => id === 2 && event.type === 'refused')).toHaveLength(1);
    await cluster.agree(WITHIN_MS);
  });

  test('a frame that the runtime does not know is refused', async () => {
    const cluster = await agreed(changRoberts as never);
    for (const frame of [{ type: 'coup' }, { type: 'epoch', view: { hears: [9] } }] as never[])
      cluster.network.processes.get(1)?.send(2, frame);
    await cluster.time.runUntil(cluster.time.nowMs + 200);
    expect(cluster.statusOf(2).counts.refused).toBe(2);
    expect(cluster.disagreement()).toBeNull();
  });
});

test('frames of the quorum gate go to their own taker', async () => {
  const cluster = await agreed();
  const frame = { type: 'support', about: 'release', token: 1 } as const;
  cluster.network.processes.get(1)?.send(2, frame);
  await cluster.time.runUntil(cluster.time.nowMs + 200);
  expect(cluster.supportFrames).toEqual([{ from: 1, to: 2, frame }]);
  expect(cluster.statusOf(2).counts.refused).toBe(0);
});

describe('a full disk', () => {
  test('stops the member with a clear state, and nothing more is sent', async () => {
    const cluster = await agreed(bully as never);
    const disk = cluster.disks.get(2);
    if (disk === undefined) throw new Error('no disk');
    disk.isFull = true;
    // A new term must be saved.
    cluster.crash(3);
    const isStopped = (): boolean => cluster.statusOf(2).state === 'stopped';
    expect(await cluster.time.runUntil(cluster.time.nowMs + WITHIN_MS, isStopped)).toBe(true);
    const sent = cluster.network.sent.filter(({ from }) => from === 2).length;
    expect(cluster.statusOf(2)).toMatchObject({
      reason: 'its state could not be saved',
      role: null,
      leader: null,
    });
    expect(cluster.events.filter(({ event, id }) => id === 2 && event.type === 'stopped')).toHaveLength(1);
    await cluster.time.runUntil(cluster.time.nowMs + WITHIN_MS);
    expect(cluster.network.sent.filter(({ from }) => from === 2)).toHaveLength(sent);
  });
});

describe('the outbox', () => {
  const record = (entered: number): MemberRecord => ({ algorithm: 'a', entered, durable: {} });

  test('keeps the order, waits for the record, and saves what comes meanwhile at once', async () => {
    const released: string[] = [];
    const saved: number[] = [];
    const pending: (() => void)[] = [];
    const store = {
      save: ({ entered }: MemberRecord) => {
        saved.push(entered);
        return new Promise<void>((resolve) => pending.push(resolve));
      },
    };
    const outbox = new DurableOutbox<string>(
      store,
      (item) => released.push(item),
      () => undefined,
    );
    outbox.push('before', null);
    outbox.push('first', record(1));
    outbox.push('after the first', null);
    outbox.push('second', record(2));
    outbox.push('third', record(3));
    expect(released).toEqual(['before']);
    pending.shift()?.();
    await expect.poll(() => released).toEqual(['before', 'first', 'after the first']);
    await expect.poll(() => saved).toEqual([1, 3]);
    pending.shift()?.();
    await expect.poll(() => released.slice(3)).toEqual(['second', 'third']);
  });
});

test('a member recovers with its durable fields and not with the others', async () => {
  const cluster = await agreed();
  const term = cluster.statusOf(2).term;
  cluster.crash(2);
  cluster.start(2);
  await cluster.time.runUntil(cluster.time.nowMs + 1);
  expect(cluster.processes.get(2)?.runtime.fields).toMatchObject({ term, leader: -1, promised: true });
});

test('the state of another algorithm is refused', async () => {
  const cluster = await agreed();
  const disk = cluster.disks.get(1);
  if (disk === undefined) throw new Error('no disk');
  const other = new SimulatedCluster({ algorithm: bully, ids: IDS, seed: 1 });
  other.disks.set(1, disk);
  await expect(other.open(1)).rejects.toThrow(
    'the saved state of member 1 is that of algorithm raft, not bully',
  );
});

test('given edges that no longer connect the members of an epoch are a state of their own', async () => {
  const edges = [
    [1, 2],
    [2, 3],
  ] as const;
  const cluster = new SimulatedCluster({ algorithm: floodMax, ids: IDS, seed: 5, edges });
  cluster.startAll();
  await cluster.agree(WITHIN_MS);
  cluster.crash(2);
  const isSplit = (): boolean => cluster.statusOf(1).state === 'no overlay';
  expect(await cluster.time.runUntil(cluster.time.nowMs + WITHIN_MS, isSplit)).toBe(true);
  cluster.start(2);
  await cluster.agree(WITHIN_MS);
});

test('an epoch in which the algorithm cannot run ends no member: it is reported, and the next epoch elects', async () => {
  const overlay = (n: number): Topology => {
    if (n === 2) throw new InputError('mine cannot run between 2 nodes');
    return Topology.fromEdges('edges', n, Int32Array.from(n === 1 ? [] : [0, 1, 1, 2]));
  };
  const algorithm = { ...floodMax, overlay } as never;
  const cluster = new SimulatedCluster({ algorithm, ids: IDS, seed: 5 });
  cluster.startAll();
  await cluster.agree(WITHIN_MS);
  cluster.crash(2);
  const isLost = (): boolean => cluster.living.every((id) => cluster.statusOf(id).state === 'no overlay');
  expect(await cluster.time.runUntil(cluster.time.nowMs + WITHIN_MS, isLost)).toBe(true);
  expect(cluster.statusOf(1).role).toBe(null);
  const [failed] = cluster.events.flatMap(({ event }) =>
    event.type === 'handler-failed' ? [event.error] : [],
  );
  expect(failed).toMatchObject({ message: 'mine cannot run between 2 nodes' });
  cluster.start(2);
  await cluster.agree(WITHIN_MS);
});

describe('the recording', () => {
  test('has a beginning for each incarnation, and pairs every delivery with a message that was sent', async () => {
    const cluster = await agreed(bully as never);
    cluster.crash(3);
    await cluster.agree(WITHIN_MS);
    cluster.start(3);
    await cluster.agree(WITHIN_MS);
    const lines = [...cluster.traces.values()].flat();
    const steps = lines.filter((line): line is TraceLine & { type: 'step' } => line.type === 'step');
    const sent = new Map(steps.flatMap((step) => step.sent.map(({ key, message }) => [key, message])));
    const delivered = steps.filter(({ step }) => step.startsWith('deliver'));
    expect(delivered.length).toBeGreaterThan(5);
    for (const { of: key = '', step } of delivered)
      expect(parseStep(step)).toMatchObject({ message: sent.get(key) });
    expect(cluster.traces.get(3)?.filter(({ type }) => type === 'begin')).toMatchObject([
      // Its first start is a recovery as well, from the initial values.
      { recovered: true, algorithm: 'bully', durable: { term: 0 } },
      { recovered: true },
    ]);
    expect(steps.some(({ step }) => step === 'recover 2')).toBe(true);
    expect(steps.some(({ decided }) => decided?.role === 'leader')).toBe(true);
  });

  test('orders causes before effects by its clocks', async () => {
    const cluster = await agreed(changRoberts as never);
    const lines = [...cluster.traces.entries()].flatMap(([id, all]) => all.map((line) => ({ id, line })));
    const clockOf = new Map<string, Readonly<Record<string, number>>>();
    for (const { line } of lines)
      if (line.type === 'step') for (const { key } of line.sent) clockOf.set(key, line.clock);
    for (const { id, line } of lines) {
      if (line.type !== 'step' || line.of === undefined) continue;
      const cause = clockOf.get(line.of) ?? {};
      for (const [member, at] of Object.entries(cause)) expect(line.clock[member]).toBeGreaterThanOrEqual(at);
      expect(line.clock[id]).toBeGreaterThan(cause[id] ?? 0);
    }
  });

  test('is one JSON object on each line', () => {
    let text = '';
    const writer = jsonLines((line) => {
      text += line;
    });
    const line: TraceLine = { type: 'epoch', number: 4, proposer: 1, members: IDS };
    writer.write(line);
    writer.write(line);
    expect(
      text
        .split('\n')
        .filter(Boolean)
        .map((one) => JSON.parse(one)),
    ).toEqual([line, line]);
  });
});
