/**
 * The configuration of an existing client of `ioredis`: `Redis`, also with Sentinels, or `Cluster`. The store opens its own
 * connections with it. The client itself is not used: its queue, retries and key prefix would change what a lease means, and
 * other commands of the program would delay a renewal.
 */
import type { Redis, RedisOptions } from 'ioredis';
import type { RedisAddress, RedisPlace } from '../redis-connection.ts';
import { ioredisLibrary, loadIoredis } from './ioredis-library.ts';
import type { IoredisClient } from './redis-client.ts';
import { type ExistingRedis, hostList, mapperOf, type NatMap, namesOf } from './redis-existing.ts';

type StartupNode = string | number | Partial<RedisAddress>;

export const isIoredis = (client: object): client is IoredisClient =>
  'isCluster' in client && 'duplicate' in client && 'options' in client;

export function existingIoredis(client: IoredisClient): Promise<ExistingRedis> | ExistingRedis {
  return client.isCluster ? existingCluster(client) : existingServer(client);
}

function existingServer(client: IoredisClient): ExistingRedis {
  const options = client.options as RedisOptions & { natMap?: NatMap };
  const { host, port, path, db = 0, sentinels, name = '', tls } = options;
  const duplicate = client.duplicate.bind(client) as unknown as (more: RedisOptions) => Redis;
  const at = path ?? `${host}:${port}`;
  const asked = (sentinels ?? []).map((each) => ({
    host: each.host ?? 'localhost',
    port: each.port ?? 26379,
  }));
  const place: RedisPlace =
    asked.length === 0
      ? { type: 'server' }
      : { type: 'sentinel', sentinels: asked, group: name, mapped: mapperOf(options.natMap) };
  const scheme = `redis${tls ? 's' : ''}${asked.length === 0 ? '' : '+sentinel'}`;
  const hosts = asked.length === 0 ? at : `${hostList(asked)}/${encodeURIComponent(name)}`;
  return {
    ...namesOf(scheme, hosts, db === 0 ? '' : `/${db}`, options),
    place,
    library: (timeoutMs) =>
      ioredisLibrary(
        duplicate,
        {
          username: options.sentinelUsername,
          password: options.sentinelPassword,
          tls: options.enableTLSForSentinelMode ? (options.sentinelTLS ?? {}) : undefined,
        },
        timeoutMs,
      ),
  };
}

async function existingCluster(client: IoredisClient): Promise<ExistingRedis> {
  const Client = await loadIoredis();
  const { redisOptions = {}, natMap } = client.options as { redisOptions?: RedisOptions; natMap?: NatMap };
  const { startupNodes = [], nodes } = client as unknown as {
    startupNodes?: readonly StartupNode[];
    nodes(): readonly Redis[];
  };
  const known = nodes.call(client).map(({ options: { host = '', port = 6379 } }) => ({ host, port }));
  const addresses = [...startupNodes.map(addressOf), ...known];
  return {
    ...namesOf(
      `redis${redisOptions.tls ? 's' : ''}+cluster`,
      hostList(startupNodes.map(addressOf)),
      '',
      redisOptions,
    ),
    place: { type: 'cluster', nodes: addresses, mapped: mapperOf(natMap) },
    library: (timeoutMs) => ioredisLibrary((more) => new Client({ ...redisOptions, ...more }), {}, timeoutMs),
  };
}

function addressOf(node: StartupNode): RedisAddress {
  if (typeof node === 'number') return { host: '127.0.0.1', port: node };
  if (typeof node === 'object') return { host: node.host ?? '127.0.0.1', port: Number(node.port ?? 6379) };
  const { hostname, port } = new URL(node.includes('//') ? node : `redis://${node}`);
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? 6379 : Number(port) };
}
