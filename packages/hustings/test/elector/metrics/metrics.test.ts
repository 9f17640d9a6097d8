import { hostname } from 'node:os';
import { describe, expect, test } from 'vitest';
import { aborted, until } from '../../../../../test-kit/until.ts';
import { createElector } from '../../../src/elector/create-elector.ts';
import {
  observeElector,
  prometheusText,
  type TelemetryResult,
} from '../../../src/elector/metrics/exporters.ts';
import { HistogramCounter } from '../../../src/elector/metrics/metrics-counter.ts';
import { END_REASONS, LOSS_REASONS } from '../../../src/lease/core/end-reason.ts';
import { MemoryLeaseStore } from '../../../src/lease/stores/memory/memory-lease-store.ts';

async function ledOnce(): Promise<ReturnType<typeof createElector>> {
  const store = new MemoryLeaseStore();
  const elector = createElector({ store, name: 'a "b"\\c', id: 'me', ttlMs: 600, processProof: '' });
  const lead = await elector.acquire();
  await until(() => elector.metrics.renewals > 0);
  await store.evict(elector.name);
  await aborted(lead.signal);
  await lead.release();
  return elector;
}

describe('metrics', () => {
  test('are formatted for Prometheus: terms, renewals, losses and times, with names escaped', async () => {
    const { metrics } = await ledOnce();
    metrics.countRejection();
    const lines = prometheusText([metrics]).split('\n');
    const own = '{election="a \\"b\\"\\\\c",candidate="me"}';
    expect(lines).toContain(`hustings_is_leader${own} 0`);
    expect(lines).toContain(`hustings_token${own} ${metrics.token}`);
    expect(lines).toContain(`hustings_terms_total${own} 1`);
    expect(lines).toContain(`hustings_losses_total${own.slice(0, -1)},reason="evicted"} 1`);
    expect(lines).toContain(`hustings_terms_ended_total${own.slice(0, -1)},reason="evicted"} 1`);
    expect(lines).toContain(`hustings_fence_rejections_total${own} 1`);
    expect(lines).toContain('# TYPE hustings_renewal_margin_seconds histogram');
    const count = lines.find((line) => line.startsWith('hustings_renewal_margin_seconds_count'));
    expect(count).toBe(`hustings_renewal_margin_seconds_count${own} ${metrics.renewals}`);
    for (const line of lines.filter((line) => line !== '' && !line.startsWith('#'))) {
      expect(line).toMatch(/^[a-z_]+\{([a-z]+="([^"\\\n]|\\.)*",?)+\} [-+0-9.e]+$/);
    }
  });

  test('of a candidate without an id carry the host name and no PID, so that a restart continues the series', () => {
    const { id, metrics } = createElector({ store: 'memory:', name: 'job' });
    expect(id).toBe(`${hostname()}-${process.pid}`);
    expect(prometheusText([metrics])).toContain(
      `hustings_is_leader{election="job",candidate="${hostname()}"} 0`,
    );
    expect(prometheusText([metrics])).not.toContain(`-${process.pid}"`);
  });

  test('have a sample of 0 for every reason and kind before the first event', () => {
    const { metrics } = createElector({ store: 'memory:', name: 'job', id: 'me' });
    const text = prometheusText([metrics]);
    const samples = (name: string): string[] =>
      text.split('\n').filter((line) => line.startsWith(`${name}{`));
    const own = 'election="job",candidate="me"';
    expect(samples('hustings_losses_total')).toContain(`hustings_losses_total{${own},reason="evicted"} 0`);
    expect(samples('hustings_losses_total')).toHaveLength(Object.keys(LOSS_REASONS).length);
    expect(samples('hustings_terms_ended_total')).toHaveLength(Object.keys(END_REASONS).length);
    expect(samples('hustings_store_errors_total')).toContain(
      `hustings_store_errors_total{${own},kind="unreachable"} 0`,
    );
  });

  test('are observed by an OpenTelemetry meter', async () => {
    const { metrics } = await ledOnce();
    const observed: [string, number, Record<string, string>][] = [];
    const instrument = (name: string) => ({
      addCallback: (callback: (result: TelemetryResult) => void) =>
        callback({ observe: (value, attributes) => observed.push([name, value, attributes]) }),
    });
    observeElector({ createObservableGauge: instrument, createObservableCounter: instrument }, metrics);
    const own = { election: metrics.election, candidate: 'me' };
    expect(observed).toContainEqual(['hustings_terms_total', 1, own]);
    expect(observed).toContainEqual(['hustings_losses_total', 1, { ...own, reason: 'evicted' }]);
    expect(observed).toContainEqual(['hustings_renewal_margin_seconds_count', metrics.renewals, own]);
  });

  test('a histogram counts each value in every bucket whose bound it does not exceed', () => {
    const histogram = new HistogramCounter([1, 2, 4]);
    for (const value of [0.5, 1, 3, 9]) histogram.add(value);
    expect(histogram.cumulative()).toEqual([2, 2, 3]);
    expect(histogram.count).toBe(4);
    expect(histogram.sum).toBe(13.5);
  });
});
