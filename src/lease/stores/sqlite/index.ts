/** Leases in a SQLite file: the door `hustings/lease/sqlite`. */
export type {
  AcquireAnswer,
  AcquireRequest,
  ReleaseAnswer,
  ReleaseRequest,
  RenewAnswer,
  RenewRequest,
} from '../../core/calls.ts';
export type { EndCause, EndReason, LossReason } from '../../core/end-reason.ts';
export type { Challenger, Holder, LeaseRecord } from '../../core/lease-record.ts';
export type { HostClock } from '../../host/host-clock.ts';
export type { Capabilities, HistoryQuery, LeaseStore, Probe, StoreOptions, Term } from '../../lease-store.ts';
export { SqliteLeaseStore, type SqliteStoreOptions } from './sqlite-lease-store.ts';
