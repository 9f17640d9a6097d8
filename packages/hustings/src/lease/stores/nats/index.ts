/** Leases in NATS: the door `hustings/lease/nats`. */
export type * from '../../store-interface.ts';
export { NatsLeaseStore, type NatsStoreOptions } from './nats-lease-store.ts';
