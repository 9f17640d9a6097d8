/**
 * Leases in NATS JetStream 2.9 or later: a document for each election in a key-value bucket. A candidate acquires a held lease when
 * its record has not changed for the holder's TTL on the candidate's own clock. That a key is absent frees no lease that was held:
 * keys have no time to live. A bucket that is younger than a TTL may be the successor of one that was deleted, and grants no first lease.
 *
 * Guaranteed: P1 and P3, as long as the bucket keeps what it has acknowledged. Replicated buckets do so from NATS 2.9.21.
 */
import { DocumentLeaseStore } from '../document/document-lease-store.ts';
import { loadNats } from './nats-connection.ts';
import { NatsServer } from './nats-server.ts';
import { type NatsStoreOptions, natsSettings } from './nats-settings.ts';

export type { NatsStoreOptions } from './nats-settings.ts';

/** A store in NATS. */
export class NatsLeaseStore extends DocumentLeaseStore {
  /** Connects with the first call, not here. */
  static async open(url: string, options: NatsStoreOptions = {}): Promise<NatsLeaseStore> {
    const settings = natsSettings(url, options);
    return new NatsLeaseStore(new NatsServer(await loadNats(), settings), options);
  }
}
