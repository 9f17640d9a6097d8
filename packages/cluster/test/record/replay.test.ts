import { describe, expect, test } from 'vitest';
import { twins } from '../../../study/src/algorithms/index.ts';
import { raft } from '../../../study/src/algorithms/quorum/raft.ts';
import { registry } from '../../../study/src/algorithms/registry.ts';
import { dolevKlaweRodeh } from '../../../study/src/algorithms/ring/dolev-klawe-rodeh.ts';
import { leLann } from '../../../study/src/algorithms/ring/lelann.ts';
import type { AnyAlgorithm } from '../../../study/src/kernel/algorithm.ts';
import type { RecordingReport } from '../../src/record/run-report.ts';
import { isEndless } from '../../src/view/overlay.ts';
import { dropsEpochs, ignoresOrder } from '../mutant-transports.ts';
import { disturb } from '../restless-member.ts';
import { ALL_FAULTS, BOUND_MS, CRASH_FAULTS, faultRun } from '../runtime/fault-run.ts';
import { type ClusterOptions, SimulatedCluster, UNIT_MS } from '../simulated-cluster.ts';
import { replayCluster, violationsOf } from './recorded-run.ts';

const IDS = [3, 8, 12, 20, 41];

function named(name: string) {
  const algorithm = registry.find((one) => one.name === name);
  if (algorithm === undefined) throw new Error(`no algorithm ${name}`);
  return algorithm;
}

function twinNamed(name: string): AnyAlgorithm {
  const twin = twins.find((one) => one.algorithm.name === name);
  if (twin === undefined) throw new Error(`no twin ${name}`);
  return twin.algorithm;
}

describe('every step of a recorded run is one that the algorithm may take', () => {
  for (const algorithm of registry.filter(isEndless)) {
    test(`${algorithm.name}: through cuts, pauses, crashes and restarts`, async () => {
      const { cluster } = await faultRun({ algorithm, ids: IDS, seed: 51 }, ALL_FAULTS, 2);
      const report = replayCluster(cluster);
      expect(violationsOf(report)).toEqual([]);
      expect(report.steps).toBeGreaterThan(20);
      expect(report.runs.map(({ epoch }) => epoch)).toEqual([null]);
    });
  }

  for (const name of ['peterson', 'itai-rodeh', 'tree-election']) {
    test(`${name}: epoch by epoch`, async () => {
      const { cluster } = await faultRun({ algorithm: named(name), ids: IDS, seed: 52 }, ALL_FAULTS, 2);
      const report = replayCluster(cluster);
      expect(violationsOf(report)).toEqual([]);
      expect(report.runs.length).toBeGreaterThan(1);
      expect(report.runs.filter(({ ended }) => ended).every(({ leader }) => leader !== null)).toBe(true);
    });
  }
});

test('crashes, recoveries and the messages that they swallow are counted', async () => {
  const cluster = new SimulatedCluster({ algorithm: named('bully'), ids: IDS, seed: 1 });
  cluster.startAll();
  await cluster.agree(BOUND_MS);
  cluster.crash(41);
  await cluster.agree(BOUND_MS);
  cluster.start(41);
  await cluster.agree(BOUND_MS);
  const [run] = replayCluster(cluster).runs;
  expect(run).toMatchObject({ crashes: 1, recoveries: 1, leader: 41, disagreement: null, violation: null });
  expect(run.lostWithCrash).toBeGreaterThan(0);
  expect(run.broken).toEqual({
    wrongNotices: 0,
    wrongStarts: run.broken.wrongStarts,
    lateMessages: 0,
    lostMessages: 0,
  });
});

test('a notice about a living member is reported apart, and is no violation', async () => {
  const cluster = new SimulatedCluster({ algorithm: named('bully'), ids: IDS, seed: 3 });
  cluster.startAll();
  await cluster.agree(BOUND_MS);
  cluster.pause(41);
  await cluster.time.runUntil(cluster.time.nowMs + 4_000);
  cluster.resume(41);
  await cluster.agree(BOUND_MS);
  const report = replayCluster(cluster);
  expect(violationsOf(report)).toEqual([]);
  expect(report.runs[0].broken.wrongNotices).toBeGreaterThan(0);
});

test('the messages of each epoch that ended equal the exact laws', async () => {
  const { cluster } = await faultRun({ algorithm: leLann, ids: IDS, seed: 5 }, CRASH_FAULTS, 2);
  const ended = replayCluster(cluster).runs.filter(({ laws }) => laws.length > 0);
  expect(ended.length).toBeGreaterThan(1);
  for (const { epoch, laws } of ended) {
    const n = epoch?.members.length ?? 0;
    expect(laws.map(({ recorded, value }) => [recorded, value])).toEqual([
      [n * n, n * n],
      [n, n],
    ]);
  }
});

test('a recording that begins with members that have run before is replayed from what they recovered', async () => {
  const { cluster } = await faultRun({ algorithm: raft, ids: IDS, seed: 7 }, ['restart of all'], 1);
  for (const lines of cluster.traces.values()) {
    lines.splice(
      0,
      lines.findLastIndex(({ type }) => type === 'begin'),
    );
  }
  const report = replayCluster(cluster);
  expect(violationsOf(report)).toEqual([]);
  const recovered = [...cluster.traces.values()].flat().filter((line) => line.type === 'begin');
  expect(recovered.map(({ durable }) => Number(durable?.term) > 0)).toEqual(IDS.map(() => true));
  // They stopped before this recording.
  expect(report.runs[0]).toMatchObject({ crashes: 0, recoveries: 0 });
});

describe('wrong algorithms are found by their properties', () => {
  test.each([
    ['chang-roberts-unkilled', 'uniqueness', 'both lead', 1],
    ['peterson-strict', 'termination', 'no node has decided', 1],
    ['echo-miscounting', 'n−1', 'messages, not 2', 2],
  ])('%s: %s', async (name, property, text, seed) => {
    const cluster = new SimulatedCluster({ algorithm: twinNamed(name), ids: [3, 8, 12], seed });
    cluster.startAll();
    await cluster.time.runUntil(3_000);
    expect(violationsOf(replayCluster(cluster))[0]).toMatchObject({
      property,
      text: expect.stringContaining(text),
    });
  });

  test('a violation after a broken delay bound is listed apart if the algorithm assumes the bound', async () => {
    const algorithm = twinNamed('chang-roberts-unkilled');
    const bounded = { ...algorithm, assumes: { ...algorithm.assumes, timing: 'bounded-delay' as const } };
    const two = { property: 'uniqueness', text: expect.stringContaining('both lead') };
    const runWith = async (delayMs: number) => {
      const cluster = new SimulatedCluster({ algorithm: bounded, ids: [3, 8, 12], seed: 1 });
      if (delayMs > 0) cluster.network.slow(8, 12, delayMs);
      cluster.startAll();
      await cluster.time.runUntil(3_000);
      return replayCluster(cluster).runs[0];
    };
    expect(await runWith(0)).toMatchObject({ violation: two, outside: null, broken: { lateMessages: 0 } });
    const late = await runWith(2 * UNIT_MS);
    expect(late).toMatchObject({ violation: null, outside: { property: 'uniqueness' } });
    expect(late.broken.lateMessages).toBeGreaterThan(0);
  });
});

describe('mutants of the runtime', () => {
  async function busyRun(options: ClusterOptions): Promise<RecordingReport> {
    const cluster = new SimulatedCluster(options);
    cluster.startAll();
    await cluster.time.runUntil(3_000);
    await disturb(cluster, IDS, 41);
    await cluster.time.runUntil(cluster.time.nowMs + 2_000);
    return replayCluster(cluster);
  }

  async function textsFor(options: Omit<ClusterOptions, 'ids' | 'seed'>): Promise<string[]> {
    const texts: string[] = [];
    for (const seed of [1, 2]) {
      texts.push(...violationsOf(await busyRun({ ...options, ids: IDS, seed })).map(({ text }) => text));
    }
    return texts;
  }

  test('the right runtime passes', async () => {
    expect(await textsFor({ algorithm: leLann })).toEqual([]);
    expect(await textsFor({ algorithm: dolevKlaweRodeh })).toEqual([]);
  });

  test('one that accepts messages of other epochs is caught', async () => {
    const texts = await textsFor({ algorithm: leLann, mutate: dropsEpochs });
    expect(texts.join('\n')).toMatch(/message \S+ is of epoch \d+ of 3, not of epoch \d+ of 3/);
  });

  test('one that ignores the order of messages is caught', async () => {
    const texts = await textsFor({ algorithm: dolevKlaweRodeh, mutate: ignoresOrder });
    expect(texts.join('\n')).toMatch(/it overtakes message \S+, which \d+\.trace, line \d+ delivers/);
  });

  /** A member stops as soon as it has recorded its vote, and starts again. */
  async function voterRestarts(isLying: boolean): Promise<{ cluster: SimulatedCluster; id: number }> {
    const cluster = new SimulatedCluster({ algorithm: raft, ids: IDS, seed: 1 });
    for (const disk of cluster.disks.values()) disk.isLying = isLying;
    cluster.startAll();
    const voter = (): number | undefined =>
      cluster.lines.find(
        ({ line }) =>
          line.type === 'step' && line.sent.some(({ message }) => /^vote .*granted=true/.test(message)),
      )?.id;
    await cluster.time.runUntil(10_000, () => voter() !== undefined);
    const id = voter();
    if (id === undefined) throw new Error('nobody voted');
    cluster.crash(id);
    cluster.start(id);
    await cluster.time.runUntil(cluster.time.nowMs + 2_000);
    return { cluster, id };
  }

  test('one that sends a vote before it is on disk is caught when the voter restarts', async () => {
    expect(violationsOf(replayCluster((await voterRestarts(false)).cluster))).toEqual([]);
    const [violation] = violationsOf(replayCluster((await voterRestarts(true)).cluster));
    expect(violation.text).toMatch(
      /^member \d+ recovered \{.*\}, but its recorded steps have saved \{.*"votedFor":\d+/,
    );
  });

  test('a vote that reached the disk of the right one, but not its recording, is found', async () => {
    const { cluster, id } = await voterRestarts(false);
    const lines = cluster.traces.get(id) ?? [];
    const second = lines.findLastIndex(({ type }) => type === 'begin');
    lines.splice(second - 1, 1);
    const report = replayCluster(cluster);
    expect(violationsOf(report)).toEqual([]);
    expect(report.runs[0].unrecorded).toBe(1);
  });
});
