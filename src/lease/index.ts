/** Leases: what a store is, the stores, and what proves a holder gone. */
export { type Conflict, overlaps } from './audit.ts';
export type * from './core/calls.ts';
export { checkName } from './core/election-name.ts';
export { END_REASONS, type EndCause, type EndReason } from './core/end-reason.ts';
export type * from './core/lease-record.ts';
export type { StoreErrorKind } from './core/store-error-kind.ts';
export { defaultStoreUrl } from './default-store.ts';
export type { HostClock } from './host/host-clock.ts';
export { isGone, type ProofExtras, processProof } from './host/process-proof.ts';
export * from './lease-store.ts';
export { openStore } from './open-store.ts';
export { StoreError } from './store-error.ts';
export { hasPassword, parseStoreUrl, redact, type StoreKind, type StoreUrl, scrub } from './store-url.ts';
export {
  MemoryLeaseData,
  MemoryLeaseStore,
  type MemoryStoreOptions,
} from './stores/memory/memory-lease-store.ts';
export { PostgresLeaseStore, type PostgresStoreOptions } from './stores/postgres/postgres-lease-store.ts';
export { RedisLeaseStore, type RedisStoreOptions } from './stores/redis/redis-lease-store.ts';
export { SqliteLeaseStore, type SqliteStoreOptions } from './stores/sqlite/sqlite-lease-store.ts';
