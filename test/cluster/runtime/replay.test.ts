import { expect, test } from 'vitest';
import { registry } from '../../../src/algorithms/registry.ts';
import { isEndless } from '../../../src/cluster/runtime/member-options.ts';
import { SimulatedCluster } from '../simulated-cluster.ts';
import { ALL_FAULTS, faultRun } from './fault-run.ts';
import { replayTrace } from './replay-trace.ts';

const IDS = [3, 8, 12, 20, 41];

for (const algorithm of registry.filter(isEndless)) {
  test(`${algorithm.name}: every step of a recorded run with faults is one that the algorithm may take`, async () => {
    const { cluster } = await faultRun({ algorithm, ids: IDS, seed: 51 }, ALL_FAULTS, 3);
    expect(replayTrace(cluster)).toBeGreaterThan(20);
  });
}

for (const name of ['lelann', 'peterson', 'itai-rodeh', 'flood-max', 'tree-election']) {
  test(`${name}: the same, epoch by epoch`, async () => {
    const algorithm = registry.find((one) => one.name === name);
    if (algorithm === undefined) throw new Error(`no algorithm ${name}`);
    const { cluster } = await faultRun({ algorithm, ids: IDS, seed: 52 }, ALL_FAULTS, 2);
    expect(replayTrace(cluster)).toBeGreaterThan(20);
  });
}

test('a recording with a step too many is refused', async () => {
  const algorithm = registry.find(({ name }) => name === 'lelann');
  if (algorithm === undefined) throw new Error('no algorithm lelann');
  const cluster = new SimulatedCluster({ algorithm, ids: IDS, seed: 1 });
  cluster.startAll();
  await cluster.agree(10_000);
  const delivery = cluster.lines.findLast(
    ({ line }) => line.type === 'step' && line.step.startsWith('deliver'),
  );
  if (delivery === undefined) throw new Error('nothing was delivered');
  cluster.lines.push(delivery);
  expect(() => replayTrace(cluster)).toThrow('is not enabled here');
});
