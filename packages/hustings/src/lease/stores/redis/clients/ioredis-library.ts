/** Connections of `ioredis`. */
import type { Redis, RedisOptions } from 'ioredis';
import { clientError } from '../../client-library.ts';
import type { RedisLibrary, RedisTarget } from '../redis-connection.ts';

/** Nothing is queued, repeated or renamed, and the answers have one form. */
const OPTIONS: RedisOptions = {
  lazyConnect: true,
  protocol: 2,
  stringNumbers: true,
  enableReadyCheck: false,
  enableOfflineQueue: false,
  enableAutoPipelining: false,
  autoResubscribe: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  keepAlive: 5_000,
  keyPrefix: '',
  readOnly: false,
  monitor: false,
  retryStrategy: null,
  reconnectOnError: null,
  disableClientInfo: true,
};

/** The class `Redis`. */
export type IoredisClass = new (options: RedisOptions) => Redis;

export async function loadIoredis(): Promise<IoredisClass> {
  try {
    return (await import('ioredis')).Redis;
  } catch (error) {
    throw clientError(error, 'ioredis', 'redis');
  }
}

/** `create` adds the options of the configuration that are not given here. `sentinel` holds the login and TLS of Sentinels. */
export function ioredisLibrary(
  create: (options: RedisOptions) => Redis,
  sentinel: { readonly [Option in keyof RedisOptions]: RedisOptions[Option] | undefined },
  timeoutMs: number,
): RedisLibrary<Redis> {
  return {
    create({ address, type, login }: RedisTarget) {
      return create({
        ...OPTIONS,
        connectTimeout: timeoutMs,
        ...(address === null ? {} : { ...address, path: undefined, sentinels: undefined }),
        ...(login === null ? {} : login),
        ...(type === 'sentinel' ? { db: 0, ...sentinel } : {}),
      } as RedisOptions);
    },
    unref: (redis) => streamOf(redis)?.unref(),
    destroy(redis) {
      // `disconnect` waits for the other end, which may be gone.
      const stream = streamOf(redis);
      if (stream === undefined) redis.disconnect();
      else stream.destroy();
    },
  };
}

function streamOf(redis: Redis): { unref(): void; destroy(): void } | undefined {
  return (redis as { stream?: { unref(): void; destroy(): void } }).stream;
}
