/** Leases in Redis: the door `hustings/lease/redis`. */
export type * from '../../store-interface.ts';
export type { IoredisClient, NodeRedisClient } from './clients/redis-client.ts';
export {
  type RedisClient,
  RedisLeaseStore,
  type RedisStoreOptions,
} from './redis-lease-store.ts';
