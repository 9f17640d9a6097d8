/**
 * Leases in ZooKeeper 3.5.3 or later. The node of the holder belongs to its session, if that outlives the lease: a holder that
 * has ended is succeeded when its session expires. A challenger that has observed the record for the whole TTL need not wait for
 * that.
 *
 * Guaranteed: P1 and P3, also through the loss of a minority of the servers. Not guaranteed: P1 after a restore from a backup.
 */
import { DocumentLeaseStore } from '../document/document-lease-store.ts';
import { ZookeeperServer } from './zookeeper-server.ts';
import { type ZookeeperStoreOptions, zookeeperSettings } from './zookeeper-settings.ts';

export type { ZookeeperStoreOptions } from './zookeeper-settings.ts';

/** A store in ZooKeeper. */
export class ZookeeperLeaseStore extends DocumentLeaseStore {
  /** Connects with the first call, not here. */
  static async open(url: string, options: ZookeeperStoreOptions = {}): Promise<ZookeeperLeaseStore> {
    return new ZookeeperLeaseStore(new ZookeeperServer(zookeeperSettings(url, options)), options);
  }
}
