/** Leases in a SQLite file: the door `hustings/lease/sqlite`. */

export type { HostClock } from '../../host/host-clock.ts';
export type * from '../../store-interface.ts';
export { SqliteLeaseStore, type SqliteStoreOptions } from './sqlite-lease-store.ts';
