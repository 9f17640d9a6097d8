/** Leases in etcd: the door `hustings/lease/etcd`. */
export type * from '../../store-interface.ts';
export { EtcdLeaseStore, type EtcdStoreOptions } from './etcd-lease-store.ts';
