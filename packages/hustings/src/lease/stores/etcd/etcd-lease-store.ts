/**
 * Leases in etcd 3.4 or later, by its JSON gateway. A challenger acquires a held lease when it has observed the record for the whole
 * TTL of its holder. No lease of etcd is used, because its end proves nothing: see etcd-server.ts.
 *
 * Guaranteed: P1 and P3, also through the loss of a minority of the members. Not guaranteed: P1 after a restore from a backup
 * that keeps the id of the cluster, or does not have the election while a candidate starts.
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
