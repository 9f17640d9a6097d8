/**
 * Documents in a key-value bucket of NATS JetStream. A write names the sequence number of the message that it replaces, and counts if
 * the bucket has not been deleted and created again: see nats-incarnation.ts. All reads are answered by the leader of the bucket's
 * stream.
 */
import { StoreError } from '../../core/store-error.ts';
import type { Probe } from '../../lease-store.ts';
import {
  type DocumentKey,
  type DocumentServer,
  type DocumentWrite,
  SETTINGS,
  type StoredDocument,
  type WriteAnswer,
} from '../document/document-server.ts';
import { NatsAccess, type NatsBucket, type NatsLibrary } from './nats-connection.ts';
import { natsError } from './nats-error.ts';
import type { NatsIncarnation } from './nats-incarnation.ts';
import { NatsNotifications } from './nats-notifications.ts';
import type { NatsSettings } from './nats-settings.ts';
import {
  type KeyWrite,
  messageIn,
  messageOf,
  NO_MESSAGE,
  revisionOf,
  serverOf,
  writeKey,
} from './nats-write.ts';

/** Version 3 had no incarnation in its keys: its processes and ours would not see each other's leases. */
const LAYOUT_VERSION = 4;
const CLOCK_KEY = 'clock';

export class NatsServer implements DocumentServer {
  readonly label: string;
  readonly layoutVersion = LAYOUT_VERSION;
  /** A stream that is restored goes on with the numbers of the backup. */
  readonly repeatsRevisions = true;
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
      'A bucket that was deleted and created again grants no new lease for one TTL. A bucket that was restored from a backup grants at ' +
        'once what the backup says is free. Tokens still increase, unless the clocks of the candidates were set back; terms after ' +
        'the backup are gone.',
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
    return this.#access.use((bucket) => this.#read(bucket, keys));
  }

  async #read(bucket: NatsBucket, keys: readonly DocumentKey[]): Promise<readonly (StoredDocument | null)[]> {
    const { incarnation, kv } = bucket;
    const server = serverOf(bucket);
    const entries = await Promise.all(keys.map((key) => kv.get(keyOf(key, incarnation))));
    const isComplete = entries.every((entry) => entry?.operation === 'PUT');
    // The keys of an incarnation are absent in every other one.
    if (!isComplete && !(await this.#access.isCurrent(bucket, incarnation))) return this.#read(bucket, keys);
    return entries.map((entry, index) => {
      const isThere = entry?.operation === 'PUT';
      const text = isThere ? entry.string() : null;
      if (text === null && keys[index] === SETTINGS) return null;
      const message = messageOf(bucket, entry?.revision ?? 0, text ?? '');
      const document = { text, revision: revisionOf(incarnation, server, message) };
      if (entry !== null || !this.#settings.waitAfterCreation) return document;
      return { ...document, absentForMs: () => incarnation.ageMs(() => this.clock()) };
    });
  }

  write(writes: readonly DocumentWrite[]): Promise<readonly WriteAnswer[]> {
    return this.#access.use(async (bucket) => {
      const { incarnation } = bucket;
      const server = serverOf(bucket);
      const answered = Promise.all(writes.map((write) => this.#write(bucket, incarnation, server, write)));
      const creates = writes.some(({ revision }) => replacedBy(incarnation, server, revision) === NO_MESSAGE);
      // A process that was paused before such a write creates the key in whatever bucket is there.
      if (creates) await answered;
      const [isCurrent, answers] = await Promise.all([
        this.#access
          .isCurrent(bucket, incarnation)
          .catch((error: unknown) => natsError(this.#settings, error)),
        answered,
      ]);
      if (isCurrent === true) return answers;
      const unproven: WriteAnswer =
        isCurrent === false ? { type: 'conflict' } : { type: 'failed', error: isCurrent };
      return answers.map((answer) => (answer.type === 'ok' ? unproven : answer));
    });
  }

  async #write(
    bucket: NatsBucket,
    incarnation: NatsIncarnation,
    server: string,
    { key, text, revision, notifies }: DocumentWrite,
  ): Promise<WriteAnswer> {
    const replaces = replacedBy(incarnation, server, revision);
    if (replaces === null) return { type: 'conflict' };
    try {
      const write = { key: keyOf(key, incarnation), text, replaces };
      const written =
        (await this.#send(bucket, write)) ?? (revision === null ? await this.#revive(bucket, write) : null);
      if (written === null) return { type: 'conflict' };
      if (notifies) this.#notifications.publish(bucket, tokenOf(String(key)));
      return { type: 'ok', revision: revisionOf(incarnation, server, written) };
    } catch (error) {
      return { type: 'failed', error: natsError(this.#settings, error) };
    }
  }

  /** Settings that were deleted have a last message too, which the new one replaces. */
  async #revive(bucket: NatsBucket, write: KeyWrite): Promise<string | null> {
    const last = await bucket.kv.get(write.key);
    if (last === null || last.operation === 'PUT') return null;
    return this.#send(bucket, { ...write, replaces: messageOf(bucket, last.revision, '') });
  }

  #send(bucket: NatsBucket, write: KeyWrite): Promise<string | null> {
    return writeKey(this.#library, this.#settings, bucket, write);
  }

  remove(name: string, revision: string): Promise<boolean> {
    return this.#access.use(async (bucket) => {
      const { incarnation } = bucket;
      const replaces = messageIn(incarnation, serverOf(bucket), revision);
      if (replaces === null) return false;
      return (await this.#send(bucket, { key: keyOf(name, incarnation), text: null, replaces })) !== null;
    });
  }

  names(): Promise<readonly string[]> {
    return this.#access.use((bucket) => this.#names(bucket));
  }

  async #names(bucket: NatsBucket): Promise<readonly string[]> {
    const { incarnation, kv } = bucket;
    const names: string[] = [];
    for await (const key of await kv.keys(`election.${incarnation.id}.>`)) names.push(nameOf(key));
    return (await this.#access.isCurrent(bucket, incarnation)) ? names : this.#names(bucket);
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

/** The message that a write replaces; null if its revision is of another incarnation or of another server. */
const replacedBy = (incarnation: NatsIncarnation, server: string, revision: string | null): string | null =>
  revision === null ? NO_MESSAGE : messageIn(incarnation, server, revision);

/** A part of a key or of a subject has no dots, spaces or wildcards, so a name is written in base64. */
const tokenOf = (name: string): string => `=${Buffer.from(name).toString('base64url')}`;
const nameOf = (key: string): string =>
  Buffer.from(key.slice(key.lastIndexOf('=') + 1), 'base64url').toString();
const keyOf = (key: DocumentKey, { id }: NatsIncarnation): string =>
  key === SETTINGS ? 'settings' : `election.${id}.${tokenOf(key)}`;

/**
 * The clock of the server that leads the bucket: it writes the time into each message that it takes. So a message is written, and
 * read again; another process may have written a later one meanwhile.
 */
async function readClock(
  { connection, kv }: NatsBucket,
  { label, bucket, timeoutMs }: NatsSettings,
): Promise<number> {
  const answer = await connection.request(`$KV.${bucket}.${CLOCK_KEY}`, '', { timeout: timeoutMs });
  const { error } = answer.json<{ error?: { err_code?: number; description?: string } }>();
  if (error !== undefined) {
    const refusal = { name: 'JetStreamApiError', code: error.err_code, message: error.description };
    throw Object.assign(new Error(), refusal);
  }
  const entry = await kv.get(CLOCK_KEY);
  if (entry === null)
    throw new StoreError('busy', `${label}: another program has deleted the key ${CLOCK_KEY} of ${bucket}`);
  return entry.created.getTime();
}
