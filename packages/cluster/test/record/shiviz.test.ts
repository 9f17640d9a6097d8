import { expect, test } from 'vitest';
import { registry } from '../../../study/src/algorithms/registry.ts';
import { mergeRecording } from '../../src/record/merge.ts';
import { formatShiViz } from '../../src/record/shiviz.ts';
import { BOUND_MS } from '../runtime/fault-run.ts';
import { SimulatedCluster } from '../simulated-cluster.ts';
import { textsOf } from './recorded-run.ts';

test('each host counts its events from 1 without a gap, and a delivery knows the events before it', async () => {
  const algorithm = registry.find(({ name }) => name === 'bully');
  if (algorithm === undefined) throw new Error('no algorithm bully');
  const cluster = new SimulatedCluster({ algorithm, ids: [3, 8, 12], seed: 2 });
  cluster.startAll();
  await cluster.agree(BOUND_MS);
  cluster.crash(12);
  cluster.start(12);
  await cluster.agree(BOUND_MS);
  const recording = mergeRecording(textsOf(cluster));
  const log = formatShiViz(recording);
  const events = [...log.matchAll(/(?<host>\S*) (?<clock>{.*})\n(?<event>.*)\n/g)];
  expect(events).toHaveLength(recording.events.length);
  expect(events.map(([text]) => text).join('')).toBe(log);
  const seen: Record<string, number> = {};
  let known = 0;
  for (const { groups } of events) {
    const { clock, host = '' } = groups ?? {};
    const entries = JSON.parse(clock ?? '') as Record<string, number>;
    seen[host] = (seen[host] ?? 0) + 1;
    expect(entries[host]).toBe(seen[host]);
    for (const [other, count] of Object.entries(entries)) {
      expect(count).toBeLessThanOrEqual(seen[other] ?? 0);
      if (other !== host) known++;
    }
  }
  expect(Object.keys(seen).sort()).toEqual(['member-12', 'member-3', 'member-8']);
  expect(known).toBeGreaterThan(0);
  expect(log).toMatch(/\nstops\n/);
});
