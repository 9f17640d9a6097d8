/**
 * A Redis Cluster of three primaries, of which the second has a replica. The slot of a store is with the first. The replica
 * takes over only after `allowFailover`, because a busy machine may look like a dead one.
 */
import { Redis } from 'ioredis';
import { startServer, type TestServer } from './server-process.ts';

export interface ClusterSetup {
  readonly primaries: readonly TestServer[];
  /** The replica of the second primary. */
  readonly replica: TestServer;
  /** `redis+cluster://…` with all nodes. */
  readonly url: string;
  /** A connection to one node. It ends with the setup. */
  node(server: TestServer): Redis;
  allowFailover(): Promise<void>;
  stop(): Promise<void>;
}

const SLOTS = 16_384;

/** `key` is in the slot of the store. */
export async function startCluster(key = '{hustings:}'): Promise<ClusterSetup> {
  const started: TestServer[] = [];
  const connections = new Map<TestServer, Redis>();
  const node = (server: TestServer): Redis => {
    const known = connections.get(server);
    if (known !== undefined) return known;
    const redis = new Redis(server.port, { stringNumbers: true, retryStrategy: () => 100 });
    redis.on('error', () => undefined);
    connections.set(server, redis);
    return redis;
  };
  const stop = async (): Promise<void> => {
    for (const redis of connections.values()) redis.disconnect();
    for (const server of started.reverse()) await server.stop();
  };
  try {
    started.push(...(await Promise.all([1, 2, 3, 4].map(startNode))));
    const [first, second, third, replica] = started;
    const slot = Number(await node(first).call('CLUSTER', 'KEYSLOT', key));
    // A primary that loses its last slot becomes a replica, and one without slots has no vote: each has one of its own.
    const others = Array.from({ length: SLOTS }, (_, each) => each).filter((each) => each !== slot);
    await node(first).call('CLUSTER', 'ADDSLOTS', slot, others[0]);
    await node(third).call('CLUSTER', 'ADDSLOTS', others[1]);
    await node(second).call('CLUSTER', 'ADDSLOTS', ...others.slice(2));
    for (const [index, server] of started.entries()) {
      await node(server).call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
      if (server !== first) await node(first).call('CLUSTER', 'MEET', '127.0.0.1', server.port);
    }
    const secondId = String(await node(second).call('CLUSTER', 'MYID'));
    await until(async () => String(await node(replica).call('CLUSTER', 'NODES')).includes(secondId));
    await node(replica).call('CLUSTER', 'REPLICATE', secondId);
    for (const server of started) {
      const redis = node(server);
      await until(async () => {
        const info = await redis.call('CLUSTER', 'INFO');
        return /cluster_state:ok/.test(`${info}`) && /cluster_known_nodes:4/.test(`${info}`);
      });
    }
    await until(async () => /master_link_status:up/.test(await node(replica).info('replication')));
    const hosts = started.map(({ port }) => `127.0.0.1:${port}`).join(',');
    return {
      primaries: [first, second, third],
      replica,
      url: `redis+cluster://${hosts}`,
      node,
      allowFailover: async () => {
        await node(replica).config('SET', 'cluster-replica-no-failover', 'no');
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startNode(): Promise<TestServer> {
  return startServer({
    program: 'redis-server',
    politeSignal: 'SIGTERM',
    args: (folder, port) => [
      ...['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no'],
      ...['--cluster-enabled', 'yes', '--cluster-node-timeout', '1000'],
      ...['--cluster-require-full-coverage', 'no', '--cluster-replica-no-failover', 'yes'],
      ...['--repl-diskless-sync-delay', '0'],
    ],
    answers: async (port) => {
      const redis = new Redis(port, { lazyConnect: true, retryStrategy: null });
      redis.on('error', () => undefined);
      try {
        await redis.connect();
        return (await redis.ping()) === 'PONG';
      } finally {
        redis.disconnect();
      }
    },
    url: (port) => `redis://127.0.0.1:${port}`,
  });
}

export async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (const endMs = performance.now() + 60_000; performance.now() < endMs; ) {
    if (await isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`waited a minute in vain until ${isTrue}`);
}
