import { expect, test } from 'vitest';
import { raft } from '../../../study/src/algorithms/quorum/raft.ts';
import { leLann } from '../../../study/src/algorithms/ring/lelann.ts';
import type { StepLine } from '../../src/record/parse-trace.ts';
import type { TraceLine } from '../../src/record/trace-line.ts';
import { BOUND_MS } from '../runtime/fault-run.ts';
import { SimulatedCluster } from '../simulated-cluster.ts';
import { replayCluster, replayTexts, textsOf, violationsOf } from './recorded-run.ts';

async function recorded(): Promise<SimulatedCluster> {
  const cluster = new SimulatedCluster({ algorithm: leLann, ids: [3, 8, 12], seed: 4 });
  cluster.startAll();
  await cluster.agree(BOUND_MS);
  return cluster;
}

/** Changes the last line of member 8 for which `change` gives another one, and returns its number. */
function edit(cluster: SimulatedCluster, change: (line: StepLine) => TraceLine | null | undefined): number {
  const lines = cluster.traces.get(8) ?? [];
  for (let k = lines.length - 1; k >= 0; k--) {
    const line = lines[k];
    const changed = line.type === 'step' ? change(line) : null;
    if (changed == null) continue;
    lines[k] = changed;
    return k + 1;
  }
  throw new Error('no line to change');
}

test('a recording that nobody has edited is clean', async () => {
  expect(violationsOf(replayCluster(await recorded()))).toEqual([]);
});

test('another message than the algorithm sends', async () => {
  const cluster = await recorded();
  const line = edit(cluster, (step) =>
    step.sent.length === 0
      ? null
      : { ...step, sent: step.sent.map((one) => ({ ...one, message: 'token id=9' })) },
  );
  const [violation] = violationsOf(replayCluster(cluster));
  expect(violation).toMatchObject({ property: 'step', file: '8.trace', line });
  expect(violation.text).toMatch(/sends .*; member 8 sent token id=9 to 12/);
});

test('another decision', async () => {
  const cluster = await recorded();
  const line = edit(cluster, (step) =>
    step.decided === undefined ? null : { ...step, decided: { ...step.decided, leader: 3 } },
  );
  const [violation] = violationsOf(replayCluster(cluster));
  expect(violation).toMatchObject({ file: '8.trace', line });
  expect(violation.text).toMatch(
    /decides follower of 12 in term \d+; member 8 decided follower of 3 in term \d+/,
  );
});

test('another standing than the algorithm tells', async () => {
  const cluster = new SimulatedCluster({ algorithm: raft, ids: [3, 8, 12], seed: 4 });
  cluster.startAll();
  await cluster.agree(BOUND_MS);
  expect(violationsOf(replayCluster(cluster))).toEqual([]);
  const line = edit(
    cluster,
    (step) => step.standing && { ...step, standing: { ...step.standing, leader: 7 } },
  );
  const [violation] = violationsOf(replayCluster(cluster));
  expect(violation).toMatchObject({ property: 'step', file: '8.trace', line });
  expect(violation.text).toMatch(/it follows \d+ in term \d+; member 8 follows 7 in term \d+$/);
});

test('a message that is delivered twice', async () => {
  const cluster = await recorded();
  const lines = cluster.traces.get(8) ?? [];
  const first = lines.findLast((one) => one.type === 'step' && one.of !== undefined) as StepLine;
  const last = lines.at(-1) as StepLine;
  lines.push({ ...first, sent: [], clock: { ...last.clock, 8: (last.clock[8] ?? 0) + 1 } });
  const [violation] = violationsOf(replayCluster(cluster));
  expect(violation).toMatchObject({ file: '8.trace', line: lines.length });
  expect(violation.text).toBe(
    `message ${first.of} was already delivered in 8.trace, line ${lines.indexOf(first) + 1}`,
  );
});

test('a line that is missing', async () => {
  const cluster = await recorded();
  const lines = cluster.traces.get(8) ?? [];
  lines.splice(3, 1);
  expect(() => replayCluster(cluster)).toThrow(
    '8.trace, line 4: it is step 3 of its incarnation, but step 2 is missing',
  );
});

test('a message that nobody sent', async () => {
  const cluster = await recorded();
  const line = edit(cluster, (step) => (step.of === undefined ? null : { ...step, of: '3.1.99' }));
  expect(() => replayCluster(cluster)).toThrow(`8.trace, line ${line}: no recorded step sent message 3.1.99`);
});

test('a delivery before its own cause', async () => {
  const cluster = await recorded();
  const lines = cluster.traces.get(8) ?? [];
  const sender = lines.findLast((one) => one.type === 'step' && one.sent.length > 0) as StepLine;
  const place = lines.findIndex((one) => one.type === 'step' && one.of !== undefined);
  expect(place).toBeLessThan(lines.indexOf(sender));
  const early = lines[place] as StepLine;
  lines[place] = { ...early, of: sender.sent[0].key, clock: { ...sender.clock, 8: early.clock[8] } };
  expect(() => replayCluster(cluster)).toThrow(
    `8.trace, line ${place + 1}: it comes before its own cause, 8.trace, line ${lines.indexOf(sender) + 1}`,
  );
});

test('a torn last line is left out, also if the next incarnation writes behind it', async () => {
  const cluster = await recorded();
  const whole = textsOf(cluster);
  const torn = whole.map(({ file, text }) =>
    file === '8.trace' ? { file, text: `${text}{"type":"st` } : { file, text },
  );
  expect(replayTexts(cluster, torn)).toEqual(replayTexts(cluster, whole));
  cluster.crash(8);
  cluster.start(8);
  await cluster.agree(BOUND_MS);
  const second = textsOf(cluster).map(({ file, text }, k) => ({
    file,
    text: torn[k].text + text.slice(whole[k].text.length),
  }));
  expect(violationsOf(replayTexts(cluster, second))).toEqual([]);
  const broken = whole.map(({ file, text }) => ({ file, text: text.replace('\n{', '\n{"type":"st\n{') }));
  expect(() => replayTexts(cluster, broken)).toThrow('3.trace, line 2: it is not JSON');
});
