/**
 * The configuration of an existing client or cluster of `redis` (node-redis 5). The store opens its own connections with it; see
 * existing-ioredis.ts.
 */
import { InputError } from '@hustings/base';
import { clientError } from '../../client-library.ts';
import { decodedPart } from '../../url-setting.ts';
import type { RedisAddress, RedisLibrary } from '../redis-connection.ts';
import { type NodeRedisConnection, type NodeRedisOptions, nodeRedisLibrary } from './node-redis-library.ts';
import type { NodeRedisClient } from './redis-client.ts';
import { type ExistingRedis, hostList, mapperOf, type NatMap, namesOf } from './redis-existing.ts';

interface ClusterOptions {
  readonly rootNodes: readonly NodeRedisOptions[];
  readonly defaults?: NodeRedisOptions;
  readonly nodeAddressMap?: NatMap;
}

export const isNodeRedis = (client: object): client is NodeRedisClient =>
  'sendCommand' in client && 'duplicate' in client && ('isReady' in client || 'slots' in client);

export function existingNodeRedis(client: NodeRedisClient): Promise<ExistingRedis> | ExistingRedis {
  if ('slots' in client) return existingCluster(client);
  if ('options' in client) return existingClient(client);
  throw new InputError(
    'a Sentinel client of node-redis has no configuration to read; give redis+sentinel://…',
  );
}

function existingClient(client: NodeRedisClient): ExistingRedis {
  const options = client.options as NodeRedisOptions;
  const { socket = {}, database = 0 } = options;
  const { host, port } = addressOf(options);
  const duplicate = client.duplicate.bind(client) as unknown as (more: object) => NodeRedisConnection;
  return {
    ...namesOf(
      socket.tls ? 'rediss' : 'redis',
      socket.path ?? `${host}:${port}`,
      database === 0 ? '' : `/${database}`,
      options,
    ),
    place: { type: 'server' },
    library: (timeoutMs) => nodeRedisLibrary(duplicate, socket, timeoutMs) as unknown as RedisLibrary,
  };
}

async function existingCluster(client: NodeRedisClient): Promise<ExistingRedis> {
  const { createClient } = await loadNodeRedis();
  const {
    rootNodes,
    defaults = {},
    nodeAddressMap,
  } = (client as unknown as { _options: ClusterOptions })._options;
  const nodes = rootNodes.map(addressOf);
  // The login may be in the URL of a node, and so may TLS.
  const [first = {}] = rootNodes;
  const inUrl = first.url === undefined ? {} : loginOf(new URL(first.url));
  const { url: _, ...own } = { ...first, ...inUrl, ...defaults };
  const socket = { tls: first.url?.startsWith('rediss:') ?? false, ...first.socket, ...defaults.socket };
  const create = (more: object) =>
    createClient({ ...own, ...more } as object) as unknown as NodeRedisConnection;
  return {
    ...namesOf(`redis${socket.tls ? 's' : ''}+cluster`, hostList(nodes), '', own),
    place: { type: 'cluster', nodes, mapped: mapperOf(nodeAddressMap) },
    library: (timeoutMs) => nodeRedisLibrary(create, socket, timeoutMs) as unknown as RedisLibrary,
  };
}

function addressOf({ url, socket = {} }: NodeRedisOptions): RedisAddress {
  const { host = 'localhost', port = 6379 } = socket;
  if (url === undefined) return { host, port };
  const parsed = new URL(url);
  return {
    host: parsed.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: parsed.port === '' ? port : Number(parsed.port),
  };
}

function loginOf({ username, password }: URL): { username?: string; password?: string } {
  return {
    ...(username === '' ? {} : { username: decodedPart(username) }),
    ...(password === '' ? {} : { password: decodedPart(password) }),
  };
}

async function loadNodeRedis() {
  try {
    return await import('redis');
  } catch (error) {
    throw clientError(error, 'redis', 'redis');
  }
}
