/** From a URL or an existing client to a client library with its configuration, and the settings of the store. */

import { InputError } from '@hustings/base';
import type { Redis } from 'ioredis';
import type { RedisLibrary } from '../redis-connection.ts';
import {
  clientOptions,
  type RedisSettings,
  type RedisStoreOptions,
  type RedisStoreSettings,
  redisSettings,
  sentinelOptions,
  storeSettings,
} from '../redis-settings.ts';
import { existingIoredis, isIoredis } from './existing-ioredis.ts';
import { existingNodeRedis, isNodeRedis } from './existing-node-redis.ts';
import { ioredisLibrary, loadIoredis } from './ioredis-library.ts';
import type { RedisClient } from './redis-client.ts';
import type { ExistingRedis } from './redis-existing.ts';

export interface RedisSource {
  readonly library: RedisLibrary;
  readonly settings: RedisStoreSettings;
}

export async function openLibrary(
  source: string | RedisClient,
  options: RedisStoreOptions,
): Promise<RedisSource> {
  if (typeof source === 'string') {
    const settings = redisSettings(source, options);
    return { settings, library: (await urlLibrary(settings)) as unknown as RedisLibrary };
  }
  const existing = await existingClient(source);
  const settings = storeSettings(existing, options);
  return { settings, library: existing.library(settings.timeoutMs) };
}

/** Loads the client library for a URL. */
export async function urlLibrary(settings: RedisSettings): Promise<RedisLibrary<Redis>> {
  const Client = await loadIoredis();
  const options = clientOptions(settings);
  return ioredisLibrary(
    (more) => new Client({ ...options, ...more }),
    sentinelOptions(settings),
    settings.timeoutMs,
  );
}

async function existingClient(client: unknown): Promise<ExistingRedis> {
  if (typeof client === 'object' && client !== null) {
    if (isIoredis(client)) return existingIoredis(client);
    if (isNodeRedis(client)) return existingNodeRedis(client);
  }
  throw new InputError('a Redis store needs a URL, or a client of ioredis or redis (node-redis 5)');
}
