/**
 * Leader election for services. Everything that a user of `createElector` meets is here. Importing it loads nothing of the
 * kernel, the simulator or the checker, which have their own doors, such as `@hustings/study/simulator`. A store that is named by a
 * URL is loaded when the elector first uses it; `hustings/lease/redis` and its siblings export the stores themselves.
 */

export { type ErrorDetails, type ExitCategory, HustingsError, InputError, type Remedy } from '@hustings/base';
export { createElector } from './elector/create-elector.ts';
export type { CronOptions, CronTick, CronWork } from './elector/cron/cron-options.ts';
export type {
  AcquireOptions,
  Elector,
  HistoryOptions,
  LeaderWatchOptions,
  SignalOptions,
} from './elector/elector.ts';
export { AcquireTimeoutError, ElectorClosedError, LeaseLostError } from './elector/elector-errors.ts';
export type { ElectorHealth, ElectorState } from './elector/elector-health.ts';
export type {
  ElectorCommonOptions,
  ElectorElection,
  ElectorOptions,
  ElectorPlace,
} from './elector/elector-options.ts';
export type { ElectorEvent } from './elector/events/elector-event.ts';
export type { ElectorLogger, LogEntry, LogMethods } from './elector/events/elector-logger.ts';
export type { AssertOptions, Lead, LeadTerm, ReleaseOptions, TermEnd } from './elector/lead.ts';
export type {
  KnownLeaderView,
  LeaderView,
  LedView,
  SlotView,
  UnknownView,
  VacantView,
} from './elector/leader-view.ts';
export type { ElectorMetrics, Histogram } from './elector/metrics/elector-metrics.ts';
export {
  observeElector,
  prometheusText,
  type TelemetryInstrument,
  type TelemetryMeter,
  type TelemetryResult,
} from './elector/metrics/exporters.ts';
export type { ClockReading } from './lease/core/clock-reading.ts';
export {
  END_REASONS,
  type EndCause,
  type EndReason,
  LOSS_REASONS,
  type LossReason,
} from './lease/core/end-reason.ts';
export { ClusterClosedError, StoreError, type StoreErrorKind } from './lease/core/store-error.ts';
export type { LeaseTiming, Preset, TimingOptions } from './lease/core/timing.ts';
export type { FenceKey } from './lease/fence/fence-key.ts';
export type { Clock } from './lease/host/process-clock.ts';
export type { LeaseCluster } from './lease/lease-cluster.ts';
export type * from './lease/store-interface.ts';
