/**
 * One connection to Redis, which is opened when needed and opened again when it is lost.
 *
 * Guaranteed: a call ends within its timeout, with an answer or a `StoreError`. A connection that did not answer in time is
 * destroyed, because its other end may be gone; the next call opens a new one. Nothing is queued, and nothing is sent twice.
 * Without a pending call it does not keep the process alive.
 */
import type { Redis, RedisOptions } from 'ioredis';
import { StoreError } from '../../store-error.ts';
import { RequestTimers } from '../request-timer.ts';
import { redisError } from './redis-error.ts';
import type { RedisSettings } from './redis-settings.ts';

/** The state of the server when the connection was opened. A restart ends the connection. */
export interface ServerRun {
  readonly info: ReadonlyMap<string, string>;
  /** The latest time at which the server may have started, on its clock; 0 if unknown. */
  readonly startedMs: number;
  /** Every write is on disk before it is answered. */
  readonly isDurable: boolean;
}

interface Link {
  readonly redis: Redis;
  readonly run: ServerRun;
}

export type RedisClient = new (options: RedisOptions) => Redis;

export class RedisSession {
  readonly #client: RedisClient;
  readonly #settings: RedisSettings;
  readonly #timers: RequestTimers;
  #redis: Redis | null = null;
  #link: Promise<Link> | null = null;
  #isClosed = false;

  /** `holdsProcess` false: a pending call does not keep the process alive either. */
  constructor(client: RedisClient, settings: RedisSettings, holdsProcess = true) {
    this.#client = client;
    this.#settings = settings;
    this.#timers = new RequestTimers(holdsProcess);
  }

  async call<T>(
    work: (redis: Redis, run: ServerRun) => Promise<T>,
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
      const { redis, run } = await this.#link;
      return await work(redis, run);
    } catch (error) {
      if (deadline.isOver) {
        throw new StoreError('unreachable', `${label} did not answer within ${timeoutMs} ms; check its load`);
      }
      const storeError = redisError(this.#settings, error);
      // The address may now belong to another server that accepts writes.
      if (/READONLY/.test(storeError.message)) this.drop();
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
    const { host, port, username, password, db, tls, timeoutMs } = this.#settings;
    const redis = new this.#client({
      host,
      port,
      db,
      ...(username === '' ? {} : { username }),
      ...(password === '' ? {} : { password }),
      ...(tls === undefined ? {} : { tls }),
      lazyConnect: true,
      protocol: 2,
      stringNumbers: true,
      disableClientInfo: true,
      enableReadyCheck: false,
      enableOfflineQueue: false,
      autoResubscribe: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      connectTimeout: timeoutMs,
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
      return { redis, run: await lookAt(redis) };
    } catch (error) {
      if (this.#redis === redis) this.drop();
      // The rejection only says "closed"; the reason came as an event before.
      throw failure ?? error;
    }
  }
}

function streamOf(redis: Redis | null): { unref(): void; destroy(): void } | undefined {
  return (redis as { stream?: { unref(): void; destroy(): void } } | null)?.stream;
}

/** Empty if the user has no permission for INFO. */
export async function lookAt(redis: Redis): Promise<ServerRun> {
  const [[noInfo, info], [noTime, time], [noConfig, config]] = (await redis
    .pipeline()
    .info()
    .time()
    .config('GET', 'appendfsync')
    .exec()) as [[Error | null, string], [Error | null, string[]], [Error | null, string[]]];
  if (noTime) throw noTime;
  const facts = parseInfo(noInfo ? '' : info);
  const uptime = facts.get('uptime_in_seconds');
  const nowMs = Number(time[0]) * 1000 + Math.floor(Number(time[1]) / 1000);
  return {
    info: facts,
    // The uptime is given in whole seconds.
    startedMs: uptime === undefined ? 0 : nowMs - (Number(uptime) - 1) * 1000,
    isDurable: facts.get('aof_enabled') === '1' && !noConfig && config[1] === 'always',
  };
}

function parseInfo(text: string): ReadonlyMap<string, string> {
  const lines = text.split('\r\n').filter((line) => /^[^#].*:/.test(line));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]));
}
