/**
 * The metrics of electors for others to collect: in Prometheus' text format 0.0.4, or by a meter of `@opentelemetry/api`, on
 * which hustings does not depend. With a meter, gauges and counters are observed when they are collected, and a histogram
 * is exported as its count and its sum.
 */
import type { ElectorMetrics, Histogram } from './elector-metrics.ts';

/** The metrics of any number of electors as one text, for the response to a scrape. */
export function prometheusText(all: readonly ElectorMetrics[]): string {
  const lines = METRICS.flatMap((metric) => [
    `# HELP ${metric.name} ${metric.help}`,
    `# TYPE ${metric.name} ${metric.type}`,
    ...all.flatMap((metrics) => samplesOf(metric, metrics)),
  ]);
  return `${lines.join('\n')}\n`;
}

function samplesOf(metric: Metric, metrics: ElectorMetrics): string[] {
  const { name, label } = metric;
  const labelsOfElector = { election: metrics.election, candidate: metrics.candidate };
  const value = metric.value(metrics);
  if (typeof value === 'number' || typeof value === 'bigint')
    return [`${name}${labels(labelsOfElector)} ${value}`];
  if ('bounds' in value) {
    const buckets = value.cumulative().map((count, i) => {
      return `${name}_bucket${labels({ ...labelsOfElector, le: String(value.bounds[i]) })} ${count}`;
    });
    return [
      ...buckets,
      `${name}_bucket${labels({ ...labelsOfElector, le: '+Inf' })} ${value.count}`,
      `${name}_sum${labels(labelsOfElector)} ${value.sum}`,
      `${name}_count${labels(labelsOfElector)} ${value.count}`,
    ];
  }
  return [...value].map(
    ([key, count]) => `${name}${labels({ ...labelsOfElector, [label ?? 'key']: key })} ${count}`,
  );
}

function labels(pairs: Readonly<Record<string, string>>): string {
  const texts = Object.entries(pairs).map(([key, value]) => {
    const text = value.replace(/\\/g, '\\\\').replace(/\n/g, '\\n').replace(/"/g, '\\"');
    return `${key}="${text}"`;
  });
  return `{${texts.join(',')}}`;
}

/** The part of OpenTelemetry's `Meter` that hustings uses. */
export interface TelemetryMeter {
  /** Creates an instrument whose values go up and down. */
  createObservableGauge(name: string, options: { description: string }): TelemetryInstrument;
  /** Creates an instrument whose values only increase. */
  createObservableCounter(name: string, options: { description: string }): TelemetryInstrument;
}

/** The part of OpenTelemetry's `Observable` that hustings uses. */
export interface TelemetryInstrument {
  /** Registers a function that reports the current values. */
  addCallback(callback: (result: TelemetryResult) => void): void;
}

/** The part of OpenTelemetry's `ObservableResult` that hustings uses. */
export interface TelemetryResult {
  /** Reports one value. */
  observe(value: number, attributes: Record<string, string>): void;
}

/** Registers all metrics of an elector with a meter. */
export function observeElector(meter: TelemetryMeter, metrics: ElectorMetrics): void {
  const own = { election: metrics.election, candidate: metrics.candidate };
  for (const { name, type, help: description, label, value } of METRICS) {
    const counter = (suffix: string): TelemetryInstrument =>
      meter.createObservableCounter(`${name}${suffix}`, { description });
    if (type === 'histogram') {
      for (const part of ['count', 'sum'] as const) {
        counter(`_${part}`).addCallback((result) => {
          const histogram = value(metrics);
          if (typeof histogram === 'object' && 'bounds' in histogram) result.observe(histogram[part], own);
        });
      }
      continue;
    }
    const instrument = type === 'gauge' ? meter.createObservableGauge(name, { description }) : counter('');
    instrument.addCallback((result) => {
      const found = value(metrics);
      if (typeof found !== 'object') result.observe(Number(found), own);
      else if (!('bounds' in found)) {
        for (const [key, count] of found) result.observe(count, { ...own, [label ?? 'key']: key });
      }
    });
  }
}

type Value = number | bigint | Histogram | ReadonlyMap<string, number>;

interface Metric {
  readonly name: string;
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly help: string;
  /** The name of the label whose values are the keys of a map. */
  readonly label?: string;
  value(metrics: ElectorMetrics): Value;
}

const METRICS: readonly Metric[] = [
  {
    name: 'hustings_is_leader',
    type: 'gauge',
    help: 'Whether this candidate leads.',
    value: ({ isLeader }) => Number(isLeader),
  },
  {
    name: 'hustings_slots',
    type: 'gauge',
    help: 'How many candidates may lead at once.',
    value: ({ slots }) => slots,
  },
  {
    name: 'hustings_stands',
    type: 'gauge',
    help: 'Whether this candidate takes part: it waits for leadership, or leads.',
    value: ({ stands }) => Number(stands),
  },
  {
    name: 'hustings_token',
    type: 'gauge',
    help: 'Fencing token of the latest term of this candidate.',
    value: ({ token }) => token,
  },
  { name: 'hustings_terms_total', type: 'counter', help: 'Terms begun.', value: ({ terms }) => terms },
  {
    name: 'hustings_terms_ended_total',
    type: 'counter',
    help: 'Terms ended, by reason.',
    label: 'reason',
    value: ({ endedTerms }) => endedTerms,
  },
  {
    name: 'hustings_losses_total',
    type: 'counter',
    help: 'Leases lost, not by choice, by reason.',
    label: 'reason',
    value: ({ losses }) => losses,
  },
  {
    name: 'hustings_renewals_total',
    type: 'counter',
    help: 'Renewals granted.',
    value: ({ renewals }) => renewals,
  },
  {
    name: 'hustings_store_errors_total',
    type: 'counter',
    help: 'Calls to the store that failed or timed out, by kind.',
    label: 'kind',
    value: ({ storeErrors }) => storeErrors,
  },
  {
    name: 'hustings_overdue_total',
    type: 'counter',
    help: 'Terms whose work was still running when the lease was about to expire.',
    value: ({ overdue }) => overdue,
  },
  {
    name: 'hustings_overdue_seconds',
    type: 'gauge',
    help: 'For how long work has run past its deadline; 0 if none does.',
    value: ({ overdueSeconds }) => overdueSeconds,
  },
  {
    name: 'hustings_leaderless_seconds_total',
    type: 'counter',
    help: 'Time without a leader, as far as this candidate could observe.',
    value: ({ leaderlessSeconds }) => leaderlessSeconds,
  },
  {
    name: 'hustings_tick_ahead_seconds',
    type: 'gauge',
    help: 'How far in the future the newest recorded tick lies, if by more than a period; 0 otherwise.',
    value: ({ tickAheadSeconds }) => tickAheadSeconds,
  },
  {
    name: 'hustings_fence_rejections_total',
    type: 'counter',
    help: 'Fencing tokens that a resource refused.',
    value: ({ fenceRejections }) => fenceRejections,
  },
  {
    name: 'hustings_store_round_trip_seconds',
    type: 'histogram',
    help: 'Time from a call to the store until its answer.',
    value: ({ roundTrip }) => roundTrip,
  },
  {
    name: 'hustings_renewal_margin_seconds',
    type: 'histogram',
    help: 'Time left of the lease when a renewal was granted.',
    value: ({ renewalMargin }) => renewalMargin,
  },
  {
    name: 'hustings_event_loop_lag_seconds',
    type: 'histogram',
    help: 'Delay of timers.',
    value: ({ eventLoopLag }) => eventLoopLag,
  },
];
