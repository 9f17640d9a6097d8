/** Leases in PostgreSQL: the door `hustings/lease/postgres`. */
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
export type { Capabilities, HistoryQuery, LeaseStore, Probe, StoreOptions, Term } from '../../lease-store.ts';
export { PostgresLeaseStore, type PostgresStoreOptions } from './postgres-lease-store.ts';
