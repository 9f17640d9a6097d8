import { type Span, SpanStatusCode } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from 'vitest';
import { createElector } from '../../src/elector/create-elector.ts';
import type { Lead } from '../../src/elector/lead.ts';
import { traceTerms } from '../../src/opentelemetry/index.ts';
import { createTestKit } from '../../src/testing/index.ts';

/** The real SDK, with its exporter in memory. */
function startTracing() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const tracer = provider.getTracer('test');
  return { traces: traceTerms<Span>(tracer), spans: () => exporter.getFinishedSpans() };
}

function startService(work: (lead: Lead) => unknown = (lead) => lead.ended) {
  const tracing = startTracing();
  const kit = createTestKit();
  const { onEvent } = tracing.traces;
  const elector = createElector({ store: kit.store, clock: kit.clock, name: 'job', id: 'a', onEvent });
  const stop = new AbortController();
  const ended = elector.campaign(work, { signal: stop.signal });
  const end = async (): Promise<void> => {
    stop.abort();
    await kit.settle();
    await ended;
  };
  return { ...tracing, kit, elector, end };
}

const eventsOf = ({ events }: ReadableSpan) =>
  events.map(({ name, attributes }) => ({ name, ...attributes }));

describe('the traces of terms', () => {
  it('have a span for each term, with the token, the holder, and the reason of its end', async () => {
    const { kit, spans, end } = startService();
    await kit.advance(60_000);
    expect(spans()).toEqual([]);
    await kit.loseLease('job');
    await kit.until(() => spans().length === 1);
    await kit.advance(10_000);
    await end();
    const [lost, released] = spans();
    expect(lost.name).toBe('lead job');
    expect(lost.status).toMatchObject({
      code: SpanStatusCode.ERROR,
      message: expect.stringContaining('expired'),
    });
    expect(lost.attributes).toMatchObject({
      'hustings.election': 'job',
      'hustings.holder': 'a',
      'hustings.end_reason': 'expired',
      'hustings.released': false,
    });
    expect(lost.attributes['hustings.renewals']).toBeGreaterThanOrEqual(15);
    // The store has already let the lease expire: the work, which has not stopped yet, is overdue.
    expect(eventsOf(lost)).toMatchObject([
      { name: 'lost', 'hustings.end_reason': 'expired' },
      { name: 'overdue' },
    ]);
    expect(released.status.code).toBe(SpanStatusCode.UNSET);
    expect(released.attributes).toMatchObject({
      'hustings.end_reason': 'released',
      'hustings.released': true,
    });
    const tokens = [lost, released].map(({ attributes }) => BigInt(String(attributes['hustings.token'])));
    expect(tokens[1]).toBeGreaterThan(tokens[0]);
  });

  it('show renewals that failed, once for each outage, and the recovery', async () => {
    const { kit, spans, end } = startService();
    await kit.settle();
    kit.breakStore();
    await kit.advance(6_000);
    kit.repairStore();
    await kit.advance(6_000);
    await end();
    const [span] = spans();
    expect(eventsOf(span)).toMatchObject([
      { name: 'store-error', 'hustings.kind': 'unreachable' },
      { name: 'store-recovered' },
      { name: 'stopping', 'hustings.end_reason': 'released' },
    ]);
    expect(eventsOf(span)[1]).toMatchObject({ 'hustings.errors': expect.any(Number) });
  });

  it('show a transfer', async () => {
    const { kit, elector, spans, end } = startService();
    const other = createElector({ store: kit.store, clock: kit.clock, name: 'job', id: 'b' });
    await kit.settle();
    const acquired = other.acquire();
    await kit.advance(10);
    expect(await kit.store.requestTransfer('job', 'b')).toBe('requested');
    await kit.until(() => spans().length === 1);
    expect(eventsOf(spans()[0])).toMatchObject([{ name: 'stopping', 'hustings.end_reason': 'transferred' }]);
    expect(elector.metrics.isLeader).toBe(false);
    await (await acquired).release();
    await end();
  });

  it('are the parents of what the work traces, and hold the error of work that failed after its term', async () => {
    const service = startService(async (lead) => {
      const term = service.traces.spanOf(lead);
      expect(term?.isRecording()).toBe(true);
      await lead.ended;
      throw new Error('too late');
    });
    const { kit, traces, spans } = service;
    await kit.settle();
    await kit.loseLease('job');
    await kit.until(() => spans().length === 1);
    const [span] = spans();
    expect(eventsOf(span)).toMatchObject([
      { name: 'lost' },
      { name: 'overdue' },
      { name: 'exception', 'exception.message': 'too late' },
    ]);
    expect(traces.spanOf({} as Lead)).toBeUndefined();
  });

  it('show the ticks of a schedule', async () => {
    const { traces, spans } = startTracing();
    const kit = createTestKit();
    const stop = new AbortController();
    const { onEvent } = traces;
    const elector = createElector({ store: kit.store, clock: kit.clock, name: 'job', onEvent });
    const ended = elector.cron(
      '* * * * *',
      () => {
        throw new Error('no paper');
      },
      { signal: stop.signal },
    );
    await kit.advance(61_000);
    stop.abort();
    await kit.settle();
    await ended;
    expect(eventsOf(spans()[0])).toMatchObject([
      { name: 'tick-started', 'hustings.tick': '2026-01-01T00:01:00.000Z' },
      { name: 'tick-ended', 'hustings.state': 'failed' },
      { name: 'exception', 'exception.message': 'no paper' },
      { name: 'stopping' },
    ]);
  });
});
