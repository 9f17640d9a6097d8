/** Leases in PostgreSQL: the door `hustings/lease/postgres`. */
export type {
  AcquireAnswer,
  AcquireRequest,
  ReleaseAnswer,
  ReleaseRequest,
  RenewAnswer,
  RenewRequest,
  TransferAnswer,
} from '../../core/calls.ts';
export type { EndCause, EndReason, LossReason } from '../../core/end-reason.ts';
export type { Challenger, Holder, LeaseRecord, WaitingCandidate } from '../../core/lease-record.ts';
export type {
  EndTickRequest,
  StartTickAnswer,
  StartTickRequest,
  Tick,
  TickQuery,
  TickState,
} from '../../core/tick.ts';
export type {
  Capabilities,
  HistoryQuery,
  InitOptions,
  LeaseStore,
  Probe,
  StoreOptions,
  Term,
} from '../../lease-store.ts';
export { PostgresLeaseStore, type PostgresStoreOptions } from './postgres-lease-store.ts';
