/** Leases: what a store is, the stores, and what proves a holder gone. */
export type * from './core/calls.ts';
export { checkName } from './core/election-name.ts';
export type * from './core/lease-record.ts';
export { type EndCause, LOSS_REASONS, type LossReason } from './core/loss.ts';
export * from './lease-store.ts';
export { StoreError, type StoreTrouble } from './store-error.ts';
export { MemoryLeaseData, MemoryLeaseStore, type MemoryStoreOptions } from './stores/memory.ts';
export { PostgresLeaseStore, type PostgresStoreOptions } from './stores/postgres.ts';
