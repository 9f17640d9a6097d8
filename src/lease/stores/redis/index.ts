/** Leases in Redis: the door `hustings/lease/redis`. */
export type * from '../../store-interface.ts';
export { RedisLeaseStore, type RedisStoreOptions } from './redis-lease-store.ts';
