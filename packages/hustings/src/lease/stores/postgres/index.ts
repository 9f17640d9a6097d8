/** Leases in PostgreSQL: the door `hustings/lease/postgres`. */

export type * from '../../store-interface.ts';
export type {
  PgClientSource,
  PgPoolSource,
  PostgresJsSource,
  PostgresSource,
} from './clients/postgres-existing.ts';
export { PostgresLeaseStore, type PostgresStoreOptions } from './postgres-lease-store.ts';
