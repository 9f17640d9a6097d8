/**
 * One connection to Redis that is made when it is needed and made again when it is lost.
 *
 * Guaranteed: a call ends within its time, by an answer or a `StoreError`. A connection that did not answer in time
 * is destroyed, because nobody can know whether its other end is still there; the next call makes a new one. Nothing is
 * queued for later and nothing is sent twice. Without a call under way it keeps no process alive.
 */
import type { Redis, RedisOptions } from 'ioredis';
import { StoreError } from '../../store-error.ts';
import { Deadlines } from '../deadline.ts';
import { redisError } from './redis-error.ts';
import type { RedisSettings } from './redis-settings.ts';

/** What a server said of itself when the connection was made: a restart ends the connection. */
export interface ServerRun {
  readonly info: ReadonlyMap<string, string>;
  /** The latest moment, by the server's clock, at which it may have started; 0 if it does not tell. */
  readonly startedMs: number;
  /** Every write is on disk before it is answered. */
  readonly isDurable: boolean;
}

interface Link {
  readonly redis: Redis;
  readonly run: ServerRun;
}

export type RedisClient = new (options: RedisOptions) => Redis;

export class RedisConnection {
  readonly #client: RedisClient;
  readonly #settings: RedisSettings;
  readonly #deadlines: Deadlines;
  #redis: Redis | null = null;
  #link: Promise<Link> | null = null;
  #isClosed = false;

  /** `holdsProcess` false: nor does a call under way keep the process alive. */
  constructor(client: RedisClient, settings: RedisSettings, holdsProcess = true) {
    this.#client = client;
    this.#settings = settings;
    this.#deadlines = new Deadlines(holdsProcess);
  }

  async call<T>(
    work: (redis: Redis, run: ServerRun) => Promise<T>,
    timeoutMs = this.#settings.timeoutMs,
  ): Promise<T> {
    const { label } = this.#settings;
    if (this.#isClosed) {
      throw new StoreError('unreachable', `${label} was closed by this process: open it again`);
    }
    // Without its connection the driver gives up whatever is under way on it.
    const deadline = this.#deadlines.start(timeoutMs, () => this.drop());
    try {
      this.#link ??= this.#connect();
      const { redis, run } = await this.#link;
      return await work(redis, run);
    } catch (error) {
      if (deadline.isOver) {
        throw new StoreError(
          'unreachable',
          `${label} did not answer within ${timeoutMs} ms: is it overloaded?`,
        );
      }
      const storeError = redisError(this.#settings, error);
      // Behind this address there may be another server by now, one that takes writes.
      if (/READONLY/.test(storeError.message)) this.drop();
      throw storeError;
    } finally {
      this.#deadlines.end(deadline);
    }
  }

  /** The next call makes a new connection. */
  drop(): void {
    const redis = this.#redis;
    this.#redis = null;
    this.#link = null;
    // The driver's own `disconnect` waits for the other end, which may be gone.
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
      // A database that does not exist is an event, not a rejection: one would go on in another database.
      if (failure !== undefined) throw failure;
      return { redis, run: await lookAt(redis) };
    } catch (error) {
      if (this.#redis === redis) this.drop();
      // The driver rejects with "closed"; the reason came as an event before.
      throw failure ?? error;
    }
  }
}

function streamOf(redis: Redis | null): { unref(): void; destroy(): void } | undefined {
  return (redis as { stream?: { unref(): void; destroy(): void } } | null)?.stream;
}

/** A user may lack the right to look; then nothing is known. */
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
    // Of both moments that make up the time since the start only the seconds are told.
    startedMs: uptime === undefined ? 0 : nowMs - (Number(uptime) - 1) * 1000,
    isDurable: facts.get('aof_enabled') === '1' && !noConfig && config[1] === 'always',
  };
}

function parseInfo(text: string): ReadonlyMap<string, string> {
  const lines = text.split('\r\n').filter((line) => /^[^#].*:/.test(line));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]));
}
