/**
 * Leader election for services. Everything that a user of `createElector` meets is here, and nothing of the kernel, the
 * simulator or the checker is loaded: they have doors of their own, such as `hustings/simulator`. The stores have doors
 * too (`hustings/lease/redis` …); a store that is named by a URL is loaded when the elector first uses it.
 */
export { type AcquireOptions, createElector, type Elector } from './elector/create-elector.ts';
export type { ElectorEvent } from './elector/elector-event.ts';
export type { ElectorMetrics } from './elector/elector-metrics.ts';
export type { ElectorOptions } from './elector/elector-options.ts';
export type { Lead, LeadTerm, Needs } from './elector/lead.ts';
export type { LeaderView } from './elector/leader-view.ts';
export { AcquireTimeoutError, ElectorClosedError, LeaseLostError } from './elector/lease-lost.ts';
export type { Clock } from './elector/process-clock.ts';
export { prometheusText } from './elector/prometheus.ts';
export {
  observeElector,
  type TelemetryInstrument,
  type TelemetryMeter,
  type TelemetryResult,
} from './elector/telemetry.ts';
export { HustingsError, InputError } from './errors/hustings-error.ts';
