/**
 * One connection to Redis, which is opened when needed and opened again when it is lost.
 *
 * Guaranteed: a call ends within its timeout, with an answer or a `StoreError`. A connection that did not answer in time is
 * destroyed, because its other end may be gone; the next call opens a new one. Nothing is queued, and nothing is sent twice.
 * Without a pending call it does not keep the process alive.
 */
import type { Redis, RedisOptions } from 'ioredis';
import { StoreError } from '../../core/store-error.ts';
import { RequestTimers } from '../request-timer.ts';
import { redisError } from './redis-error.ts';
import { clientOptions, type RedisSettings } from './redis-settings.ts';

interface Link {
  readonly redis: Redis;
  /** Identifies this start of the server: a restart ends the connection. Empty if the user may not run INFO. */
  readonly runId: string;
}

export type RedisClient = new (options: RedisOptions) => Redis;

export class RedisSession {
  readonly #client: RedisClient;
  readonly #settings: RedisSettings;
  readonly #timers: RequestTimers;
  #redis: Redis | null = null;
  #link: Promise<Link> | null = null;
  readonly #isSubscriber: boolean;
  #isClosed = false;
  /** Called when a connection was opened. */
  onConnect: (() => void) | undefined;

  /** A subscriber can send no other commands, and its pending calls do not keep the process alive either. */
  constructor(client: RedisClient, settings: RedisSettings, isSubscriber = false) {
    this.#client = client;
    this.#settings = settings;
    this.#timers = new RequestTimers(!isSubscriber);
    this.#isSubscriber = isSubscriber;
  }

  async call<T>(
    work: (redis: Redis, runId: string) => Promise<T>,
    timeoutMs = this.#settings.timeoutMs,
  ): Promise<T> {
    const { label } = this.#settings;
    if (this.#isClosed) {
      throw new StoreError('unreachable', `${label} was closed by this process; open it again`);
    }
    // The client library rejects all pending calls of a destroyed connection.
    const deadline = this.#timers.start(timeoutMs, () => this.drop());
    try {
      this.#link ??= this.#connect();
      const { redis, runId } = await this.#link;
      // The scripts check the role with INFO. Without it HELLO does, in the same round trip.
      if (runId !== '' || this.#isSubscriber) return await work(redis, runId);
      const role = redis.call('HELLO', '2').then((hello) => this.#refuse(hello as string[]));
      const [answer] = await Promise.all([work(redis, runId), role]);
      return answer;
    } catch (error) {
      if (deadline.isOver) {
        throw new StoreError('unreachable', `${label} did not answer within ${timeoutMs} ms; check its load`);
      }
      const storeError = redisError(this.#settings, error);
      // The address may now belong to another server that accepts writes.
      if (/READONLY|is a replica/.test(storeError.message)) this.drop();
      throw storeError;
    } finally {
      this.#timers.end(deadline);
    }
  }

  /** The next call opens a new connection. */
  drop(): void {
    const redis = this.#redis;
    this.#redis = null;
    this.#link = null;
    // `disconnect` of the client library waits for the other end, which may be gone.
    const stream = streamOf(redis);
    if (stream === undefined) redis?.disconnect();
    else stream.destroy();
  }

  close(): void {
    this.#isClosed = true;
    this.drop();
  }

  async #connect(): Promise<Link> {
    const redis = new this.#client({
      ...clientOptions(this.#settings),
      lazyConnect: true,
      protocol: 2,
      stringNumbers: true,
      enableReadyCheck: false,
      enableOfflineQueue: false,
      autoResubscribe: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      connectTimeout: this.#settings.timeoutMs,
      keepAlive: 5_000,
      retryStrategy: null,
    });
    this.#redis = redis;
    let failure: unknown;
    redis.on('error', (error) => {
      failure ??= error;
    });
    redis.on('end', () => {
      if (this.#redis === redis) this.drop();
    });
    try {
      const connected = redis.connect();
      setImmediate(() => streamOf(redis)?.unref());
      await connected;
      // A missing database is an event, not a rejection: ignored, the connection would use another database.
      if (failure !== undefined) throw failure;
      const runId = await this.#examine(redis);
      this.onConnect?.();
      return { redis, runId };
    } catch (error) {
      if (this.#redis === redis) this.drop();
      // The rejection only says "closed"; the reason came as an event before.
      throw failure ?? error;
    }
  }

  async #examine(redis: Redis): Promise<string> {
    const [[noHello, hello], [noInfo, info]] = (await redis
      .pipeline()
      .call('HELLO', '2')
      .info('server')
      .exec()) as [[Error | null, string[]], [Error | null, string]];
    if (noHello) throw noHello;
    this.#refuse(hello);
    return (noInfo ? undefined : parseInfo(info).get('run_id')) ?? '';
  }

  /** Refuses a server that does not decide who holds a lease. Every user may run HELLO. */
  #refuse(hello: readonly string[]): void {
    const word = (name: string): string => hello[hello.indexOf(name) + 1];
    const { label } = this.#settings;
    if (word('mode') === 'sentinel') {
      throw new StoreError(
        'unusable',
        `${label} is a Sentinel, which keeps no leases; name the primary in the URL`,
      );
    }
    if (word('role') !== 'master') {
      throw new StoreError(
        'busy',
        `${label} is a replica, which may lag behind; name the primary in the URL`,
      );
    }
  }
}

function streamOf(redis: Redis | null): { unref(): void; destroy(): void } | undefined {
  return (redis as { stream?: { unref(): void; destroy(): void } } | null)?.stream;
}

/** The lines of INFO by their names. Empty if the user may not run it. */
export function parseInfo(text: string): ReadonlyMap<string, string> {
  const lines = text.split('\r\n').filter((line) => /^[^#].*:/.test(line));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]));
}
