/** The metrics of electors in Prometheus' text format 0.0.4. */
import type { ElectorMetrics } from './elector-metrics.ts';
import { METRICS, type Metric } from './metric-list.ts';

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
