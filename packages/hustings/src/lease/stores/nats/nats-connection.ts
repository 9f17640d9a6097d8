/** The connection to NATS and its bucket: made by the first call that needs it, and again after it was lost for good. */
import type { KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { clientError } from '../client-library.ts';
import { isMissingBucket, natsError } from './nats-error.ts';
import { NatsIncarnation } from './nats-incarnation.ts';
import type { NatsSettings } from './nats-settings.ts';
import { NatsSocket } from './nats-socket.ts';

export interface NatsLibrary {
  readonly kv: typeof import('@nats-io/kv');
  readonly transport: typeof import('@nats-io/transport-node');
}

// The type is written out: the compiler would list every export of both packages in the declaration.
export const loadNats = async (): Promise<NatsLibrary> => ({
  kv: await loadKv(),
  transport: await loadTransport(),
});

async function loadKv() {
  try {
    return await import('@nats-io/kv');
  } catch (error) {
    throw clientError(error, '@nats-io/kv', 'nats');
  }
}

async function loadTransport() {
  try {
    return await import('@nats-io/transport-node');
  } catch (error) {
    throw clientError(error, '@nats-io/transport-node', 'nats');
  }
}

export interface NatsBucket {
  readonly connection: NatsConnection;
  readonly kv: KV;
  /** As the first server greeted: a connection that is lost for a moment has no version. */
  readonly comparesEarly: boolean;
  /** As it was read last. */
  incarnation: NatsIncarnation;
}

export class NatsAccess {
  readonly #library: NatsLibrary;
  readonly #settings: NatsSettings;
  #bucket: Promise<NatsBucket> | null = null;
  #socket: NatsSocket | null = null;
  /** As it was read last, also by a connection that is lost. */
  #incarnation: NatsIncarnation | null = null;
  #isClosed = false;

  constructor(library: NatsLibrary, settings: NatsSettings) {
    this.#library = library;
    this.#settings = settings;
  }

  /** Rejects with a `StoreError`. A bucket that somebody has deleted is created, and `act` is called once more. */
  async use<Answer>(act: (bucket: NatsBucket) => Promise<Answer>): Promise<Answer> {
    try {
      return await this.#useBucket(act).catch((error: unknown) => {
        if (isMissingBucket(error)) return this.#useBucket(act);
        throw error;
      });
    } catch (error) {
      throw natsError(this.#settings, error);
    }
  }

  async #useBucket<Answer>(act: (bucket: NatsBucket) => Promise<Answer>): Promise<Answer> {
    const opening = this.bucket();
    try {
      return await act(await opening);
    } catch (error) {
      // The next use creates the bucket, with another connection.
      if (isMissingBucket(error) && this.#bucket === opening) {
        this.#bucket = null;
        void opening.then(
          ({ connection }) => connection.close(),
          () => undefined,
        );
      }
      throw error;
    }
  }

  /** Reads the incarnation, and says whether it is still this one. */
  async isCurrent(bucket: NatsBucket, { id }: NatsIncarnation): Promise<boolean> {
    bucket.incarnation = await this.#readIncarnation(bucket.kv);
    return bucket.incarnation.id === id;
  }

  async #readIncarnation(kv: KV): Promise<NatsIncarnation> {
    this.#incarnation = await NatsIncarnation.read(kv, this.#incarnation);
    return this.#incarnation;
  }

  bucket(): Promise<NatsBucket> {
    if (this.#bucket !== null) return this.#bucket;
    const opening = this.#open();
    this.#bucket = opening;
    opening.then(
      ({ connection }) =>
        connection.closed().then(() => {
          if (this.#bucket === opening) this.#bucket = null;
        }),
      () => {
        if (this.#bucket === opening) this.#bucket = null;
      },
    );
    return opening;
  }

  async #open(): Promise<NatsBucket> {
    const { kv, transport } = this.#library;
    const { bucket, replicas, timeoutMs } = this.#settings;
    const socket = new NatsSocket();
    this.#socket = socket;
    const connection = await this.#connect(socket);
    void connection.closed().then(() => socket.destroy());
    const opened = { connection, comparesEarly: comparesEarly(connection.info?.version ?? '') };
    try {
      if (this.#isClosed) throw new transport.ClosedConnectionError();
      const manager = new kv.Kvm(withTimeout(connection, timeoutMs));
      // Bound without direct reads: those may come from a server that lags behind.
      const found = await manager.open(bucket, { allow_direct: false });
      try {
        return { ...opened, kv: found, incarnation: await this.#readIncarnation(found) };
      } catch (error) {
        if (!isMissingBucket(error)) throw error;
        const created = await manager.create(bucket, { allow_direct: false, history: 1, replicas });
        return { ...opened, kv: created, incarnation: await this.#readIncarnation(created) };
      }
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  async #connect(socket: NatsSocket): Promise<NatsConnection> {
    try {
      return await socket.run(() => this.#library.transport.connect(this.#settings.connection));
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const bucket = await this.#bucket?.catch(() => null);
    await bucket?.connection.close();
    this.#socket?.destroy();
  }
}

/** The same connection, for a bucket: its requests would wait 5 s for an answer, and it has no option for that. */
function withTimeout(connection: NatsConnection, timeoutMs: number): NatsConnection {
  const request: NatsConnection['request'] = (subject, payload, options) =>
    connection.request(subject, payload, { ...options, timeout: timeoutMs });
  return Object.assign(Object.create(connection), { request });
}

const FIXED_IN = [2, 9, 21];

/** Whether the server compares the sequence number too early. `version` is as the server greets. */
export function comparesEarly(version: string): boolean {
  const parts = /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? FIXED_IN;
  const index = parts.findIndex((part, at) => part !== FIXED_IN[at]);
  return index >= 0 && parts[index] < FIXED_IN[index];
}
