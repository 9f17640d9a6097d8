/**
 * Leases in etcd 3.4 or later, by its JSON gateway. The holder's key is tied to a lease of etcd, so a holder that has ended is
 * succeeded when that lease expires; etcd counts in whole seconds, and gives no lease of less than its election timeout and a
 * half. A challenger that has observed the record for the whole TTL need not wait for that.
 *
 * Guaranteed: P1 and P3, also through the loss of a minority of the members. Not guaranteed: P1 after a restore from a backup
 * that keeps the id of the cluster, or does not have the election.
 */
import { DocumentLeaseStore } from '../document/document-lease-store.ts';
import { EtcdServer } from './etcd-server.ts';
import { type EtcdStoreOptions, etcdSettings } from './etcd-settings.ts';

export type { EtcdStoreOptions } from './etcd-settings.ts';

/** A store in etcd. */
export class EtcdLeaseStore extends DocumentLeaseStore {
  /** Connects with the first call, not here. */
  static async open(url: string, options: EtcdStoreOptions = {}): Promise<EtcdLeaseStore> {
    return new EtcdLeaseStore(new EtcdServer(etcdSettings(url, options)), options);
  }
}
