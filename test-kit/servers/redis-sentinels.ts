/** Three Redis servers and three Sentinels that watch them: a primary that dies is replaced within about a second. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { startRedis } from './redis-server.ts';
import { startServer, type TestServer } from './server-process.ts';

export interface SentinelSetup {
  /** The first one is the primary at the start. */
  readonly servers: readonly TestServer[];
  readonly sentinels: readonly TestServer[];
  /** `redis+sentinel://…` with all Sentinels. */
  readonly url: string;
  /** The port of the primary that the Sentinels name. */
  primaryPort(): Promise<number>;
  stop(): Promise<void>;
}

export const GROUP = 'main group';

export async function startSentinels(): Promise<SentinelSetup> {
  const started: TestServer[] = [];
  const keep = (server: TestServer): TestServer => {
    started.push(server);
    return server;
  };
  const stop = async (): Promise<void> => {
    for (const server of started.reverse()) await server.stop();
  };
  try {
    const options = { appendonly: false, args: ['--repl-diskless-sync-delay', '0'] };
    const primary = keep(await startRedis(options));
    const replicas = await Promise.all(
      [1, 2].map(() =>
        startRedis({ ...options, args: [...options.args, '--replicaof', '127.0.0.1', `${primary.port}`] }),
      ),
    );
    replicas.forEach(keep);
    for (const { port } of replicas) await until(port, 'INFO', /master_link_status:up/);
    const sentinels = await Promise.all([1, 2, 3].map(() => startSentinel(primary.port)));
    sentinels.forEach(keep);
    for (const { port } of sentinels) {
      await until(port, 'INFO', /slaves=2,sentinels=3/);
    }
    const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
    return {
      servers: [primary, ...replicas],
      sentinels,
      url: `redis+sentinel://${hosts}/${encodeURIComponent(GROUP)}`,
      primaryPort: async () => {
        const redis = new Redis(sentinels[0].port);
        const answer = (await redis.call('SENTINEL', 'get-master-addr-by-name', GROUP)) as string[];
        redis.disconnect();
        return Number(answer[1]);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startSentinel(primaryPort: number): Promise<TestServer> {
  const config = (folder: string): string => join(folder, 'sentinel.conf');
  const group = JSON.stringify(GROUP);
  return startServer({
    program: 'redis-server',
    politeSignal: 'SIGTERM',
    prepare: async (folder) =>
      writeFileSync(
        config(folder),
        [
          `sentinel monitor ${group} 127.0.0.1 ${primaryPort} 2`,
          `sentinel down-after-milliseconds ${group} 500`,
          `sentinel failover-timeout ${group} 3000`,
          '',
        ].join('\n'),
      ),
    args: (folder, port) => [config(folder), '--sentinel', '--port', `${port}`, '--bind', '127.0.0.1'],
    answers: (port) => ask(port, 'INFO').then((info) => /sentinel_masters/.test(info)),
    url: (port) => `redis://127.0.0.1:${port}`,
  });
}

async function ask(port: number, command: string): Promise<string> {
  const redis = new Redis(port, { lazyConnect: true, retryStrategy: null });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    return String(await redis.call(command));
  } finally {
    redis.disconnect();
  }
}

async function until(port: number, command: string, pattern: RegExp): Promise<void> {
  for (const endMs = performance.now() + 60_000; performance.now() < endMs; ) {
    if (pattern.test(await ask(port, command).catch(() => ''))) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`port ${port} did not answer ${pattern} within a minute`);
}
