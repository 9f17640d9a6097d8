/** Leader election for services: `createElector`, what it gives, and what it tells. */
export { type AcquireOptions, createElector, type Elector } from './create-elector.ts';
export type { ElectorEvent } from './elector-event.ts';
export type { ElectorMetrics } from './elector-metrics.ts';
export type { ElectorOptions } from './elector-options.ts';
export type { Lead, LeadTerm, Needs } from './lead.ts';
export type { LeaderView } from './leader-view.ts';
export { AcquireTimeoutError, ElectorClosedError, LeaseLostError } from './lease-lost.ts';
export type { Clock } from './process-clock.ts';
export { prometheusText } from './prometheus.ts';
export { observeElector, type TelemetryMeter } from './telemetry.ts';
