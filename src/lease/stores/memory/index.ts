/** Leases in the memory of one process: the door `hustings/lease/memory`. */
export type {
  AcquireAnswer,
  AcquireRequest,
  ReleaseAnswer,
  ReleaseRequest,
  RenewAnswer,
  RenewRequest,
} from '../../core/calls.ts';
export type { ClockReading } from '../../core/clock-reading.ts';
export type { EndCause, EndReason, LossReason } from '../../core/end-reason.ts';
export type { Challenger, Holder, LeaseRecord } from '../../core/lease-record.ts';
export type { Clock } from '../../host/process-clock.ts';
export type { Capabilities, HistoryQuery, LeaseStore, Probe, StoreOptions, Term } from '../../lease-store.ts';
export { MemoryLeaseStore, type MemoryStoreOptions } from './memory-lease-store.ts';
