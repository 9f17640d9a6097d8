/** Leases in the memory of one process: the door `hustings/lease/memory`. */

export type { ClockReading } from '../../core/clock-reading.ts';
export type { Clock } from '../../host/process-clock.ts';
export type * from '../../store-interface.ts';
export { MemoryLeaseStore, type MemoryStoreOptions } from './memory-lease-store.ts';
