/**
 * Documents in a key-value bucket of NATS JetStream. A write names the sequence number of the message that it replaces. All reads
 * are answered by the leader of the bucket's stream.
 */
import type { Probe } from '../../lease-store.ts';
import {
  type DocumentKey,
  type DocumentServer,
  type DocumentWrite,
  SETTINGS,
  type StoredDocument,
  type WriteAnswer,
} from '../document/document-server.ts';
import { readClock } from './nats-clock.ts';
import { NatsAccess, type NatsBucket, type NatsLibrary } from './nats-connection.ts';
import { natsError } from './nats-error.ts';
import { NatsNotifications } from './nats-notifications.ts';
import type { NatsSettings } from './nats-settings.ts';
import { type KeyWrite, revisionOf, writeKey } from './nats-write.ts';

const ELECTION = 'election.';

export class NatsServer implements DocumentServer {
  readonly label: string;
  readonly clockResolutionMs = 1;
  readonly capabilities = {
    linearizable: true,
    survivesCrash: true,
    survivesFailover: false,
    push: true,
    tickClock: 'leader' as const,
    caveats: [
      'The server writes to its disk before it answers, but syncs the disk every two minutes by default: a loss of power loses ' +
        'the latest grants, unless sync_interval is always.',
      'Before version 2.9.21, servers that replicate a bucket disagree about its revisions after one of them was paused.',
      'A server that was paused ends the term of the leader of the bucket when it goes on: requests fail for 4 s to 9 s.',
      'Only a bucket with three replicas survives the loss of a server, and only if the two others did not lose power meanwhile.',
      'A bucket that was deleted, or restored from a backup, has forgotten its leases and grants them at once. Tokens still ' +
        'increase, unless the clocks of the candidates were set back.',
    ],
  };
  readonly #library: NatsLibrary;
  readonly #settings: NatsSettings;
  readonly #access: NatsAccess;
  readonly #notifications: NatsNotifications;

  constructor(library: NatsLibrary, settings: NatsSettings) {
    this.label = settings.label;
    this.#library = library;
    this.#settings = settings;
    this.#access = new NatsAccess(library, settings);
    this.#notifications = new NatsNotifications(this.#access, `hustings.${settings.bucket}`);
  }

  read(keys: readonly DocumentKey[]): Promise<readonly (StoredDocument | null)[]> {
    return this.#access.use((bucket) =>
      Promise.all(
        keys.map(async (key) => {
          const entry = await bucket.kv.get(keyOf(key));
          if (entry === null || entry.operation !== 'PUT') return null;
          const text = entry.string();
          return { text, revision: revisionOf(bucket, entry.revision, text) };
        }),
      ),
    );
  }

  write(writes: readonly DocumentWrite[]): Promise<readonly WriteAnswer[]> {
    return this.#access.use((bucket) => Promise.all(writes.map((write) => this.#write(bucket, write))));
  }

  async #write(bucket: NatsBucket, { key, text, revision, notifies }: DocumentWrite): Promise<WriteAnswer> {
    try {
      const write = { key: keyOf(key), text, replaces: revision };
      const written = (await this.#send(bucket, write)) ?? (await this.#revive(bucket, write));
      if (written === null) return { type: 'conflict' };
      if (notifies) this.#notifications.publish(bucket, tokenOf(String(key)));
      return { type: 'ok', revision: written };
    } catch (error) {
      return { type: 'failed', error: natsError(this.#settings, error) };
    }
  }

  /** A key that was deleted has a last message too, which the new one replaces. */
  async #revive(bucket: NatsBucket, write: KeyWrite): Promise<string | null> {
    if (write.replaces !== null) return null;
    const last = await bucket.kv.get(write.key);
    if (last === null || last.operation === 'PUT') return null;
    return this.#send(bucket, { ...write, replaces: revisionOf(bucket, last.revision, '') });
  }

  #send(bucket: NatsBucket, write: KeyWrite): Promise<string | null> {
    return writeKey(this.#library, this.#settings, bucket, write);
  }

  remove(name: string, revision: string): Promise<boolean> {
    return this.#access.use(async (bucket) => {
      const write = { key: keyOf(name), text: null, replaces: revision };
      return (await this.#send(bucket, write)) !== null;
    });
  }

  names(): Promise<readonly string[]> {
    return this.#access.use(async ({ kv }) => {
      const names: string[] = [];
      for await (const key of await kv.keys(`${ELECTION}>`)) names.push(nameOf(key));
      return names;
    });
  }

  watch(name: string, onChange: (document: StoredDocument | null) => void): () => void {
    return this.#notifications.add(tokenOf(name), () => onChange(null));
  }

  isPushing(): boolean {
    return this.#notifications.isPushing;
  }

  clock(): Promise<number> {
    return this.#access.use((bucket) => readClock(bucket, this.#settings));
  }

  probe(): Promise<Omit<Probe, 'clockOffsetMs'>> {
    return this.#access.use(async ({ connection, kv, comparesEarly }) => {
      const roundTripMs = await connection.rtt();
      const { streamInfo } = await kv.status();
      const { num_replicas: replicas, max_age: maxAge, max_bytes: maxBytes, storage } = streamInfo.config;
      const problems = [
        ...(replicas > 1 && comparesEarly
          ? [
              'servers of this version disagree about a replicated bucket after a pause; use NATS 2.9.21 or later',
            ]
          : []),
        ...(maxAge > 0 ? ['the bucket deletes its keys after a time; use one without a TTL'] : []),
        ...(maxBytes > 0
          ? ['the bucket has a limit of its size and may refuse grants; use one without']
          : []),
        ...(storage === 'memory' ? ['the bucket is kept in memory; use one that is kept in files'] : []),
      ];
      const warnings =
        replicas >= 3
          ? []
          : [`the bucket has ${replicas} of the 3 replicas that survive the loss of a server`];
      const server = `NATS ${connection.info?.version ?? ''}`.trim();
      return { server, roundTripMs, problems, warnings };
    });
  }

  async close(): Promise<void> {
    this.#notifications.close();
    await this.#access.close();
  }
}

/** A part of a key or of a subject has no dots, spaces or wildcards, so a name is written in base64. */
const tokenOf = (name: string): string => `=${Buffer.from(name).toString('base64url')}`;
const nameOf = (key: string): string => Buffer.from(key.slice(ELECTION.length + 1), 'base64url').toString();
const keyOf = (key: DocumentKey): string => (key === SETTINGS ? 'settings' : ELECTION + tokenOf(key));
