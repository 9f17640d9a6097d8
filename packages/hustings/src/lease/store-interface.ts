/** The types of the interface of a store. Every door behind which there is a store exports all of them; a store imports them as `Store`. */
export type * from './core/calls.ts';
export type { EndCause, EndReason, LossReason } from './core/end-reason.ts';
export type * from './core/lease-record.ts';
export type { JsonValue, LeaderMetadata, TermUpdate } from './core/term-data.ts';
export type {
  EndTickRequest,
  StartTickAnswer,
  StartTickRequest,
  Tick,
  TickQuery,
  TickState,
} from './core/tick.ts';
export type {
  Capabilities,
  Credentials,
  ExpiryRule,
  HistoryQuery,
  InitOptions,
  LeaseStore,
  Probe,
  PruneOptions,
  StoreOptions,
  Term,
  TickClock,
} from './lease-store.ts';
