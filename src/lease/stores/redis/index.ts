/** Leases in Redis: the door `hustings/lease/redis`. */
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
export { RedisLeaseStore, type RedisStoreOptions } from './redis-lease-store.ts';
