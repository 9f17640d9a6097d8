/**
 * The metrics of an elector for OpenTelemetry. Pass a meter of `@opentelemetry/api`; hustings does not depend on that
 * package. Gauges and counters are observed when they are collected. A histogram is exported as its count and its sum.
 */
import type { ElectorMetrics } from './elector-metrics.ts';
import { METRICS } from './metric-list.ts';

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
