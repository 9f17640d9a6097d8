/** Leases in ZooKeeper: the door `hustings/lease/zookeeper`. */
export type * from '../../store-interface.ts';
export { ZookeeperLeaseStore, type ZookeeperStoreOptions } from './zookeeper-lease-store.ts';
