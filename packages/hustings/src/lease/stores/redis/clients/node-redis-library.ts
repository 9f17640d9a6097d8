/** Connections of `redis` (node-redis 5), in the shape that the store needs. */
import { EventEmitter } from 'node:events';
import type {
  RedisArgument,
  RedisLibrary,
  RedisPipeline,
  RedisServerConnection,
} from '../redis-connection.ts';

/** The part of a client of node-redis that hustings uses. */
export interface NodeRedisConnection {
  connect(): Promise<unknown>;
  sendCommand(args: readonly string[]): Promise<unknown>;
  subscribe(channels: string[], listener: (message: string, channel: string) => void): Promise<unknown>;
  unsubscribe(channels: string[]): Promise<unknown>;
  on(event: 'error' | 'end', listener: (error: Error) => void): unknown;
  unref(): void;
  destroy(): void;
}

export interface NodeRedisSocket {
  readonly host?: string;
  readonly port?: number;
  readonly path?: string;
  readonly tls?: boolean;
}

/** The options of node-redis that hustings reads or sets. */
export interface NodeRedisOptions {
  readonly url?: string | undefined;
  readonly socket?: NodeRedisSocket;
  readonly username?: string;
  readonly password?: string;
  readonly database?: number;
}

/** Nothing is queued, repeated or renamed, and the answers have one form. */
const OPTIONS = {
  url: undefined,
  RESP: 2,
  disableOfflineQueue: true,
  disableClientInfo: true,
  readonly: false,
  pingInterval: undefined,
  clientSideCache: undefined,
  commandOptions: undefined,
  commandsQueueMaxLength: undefined,
  maintNotifications: 'disabled',
};

/** `create` adds the options of the configuration that are not given here; `socket` is part of them. */
export function nodeRedisLibrary(
  create: (options: object) => NodeRedisConnection,
  socket: NodeRedisSocket,
  timeoutMs: number,
): RedisLibrary<NodeRedis> {
  return {
    create: ({ address, login }) =>
      new NodeRedis(
        create({
          ...OPTIONS,
          socket: {
            ...socket,
            ...(address === null ? {} : { ...address, path: undefined }),
            connectTimeout: timeoutMs,
            socketTimeout: undefined,
            keepAlive: true,
            keepAliveInitialDelay: 5_000,
            reconnectStrategy: false,
          },
          ...(login === null
            ? {}
            : {
                credentialsProvider: { type: 'async-credentials-provider', credentials: async () => login },
              }),
        }),
      ),
    unref: (redis) => redis.client.unref(),
    destroy(redis) {
      try {
        redis.client.destroy();
      } catch {
        // It is closed already.
      }
    },
  };
}

class NodeRedis extends EventEmitter implements RedisServerConnection {
  readonly client: NodeRedisConnection;

  constructor(client: NodeRedisConnection) {
    super();
    this.client = client;
    let hasEnded = false;
    const end = (): void => {
      if (!hasEnded) this.emit('end');
      hasEnded = true;
    };
    // A client that may not connect again gives an error and no `end` when its connection breaks.
    client.on('error', (error) => {
      this.emit('error', replyError(error));
      end();
    });
    client.on('end', end);
  }

  connect(): Promise<unknown> {
    return this.client.connect().catch((error) => {
      throw replyError(error);
    });
  }

  async call(command: string, ...args: RedisArgument[]): Promise<unknown> {
    try {
      return await this.client.sendCommand([command, ...args.map(String)]);
    } catch (error) {
      throw replyError(error);
    }
  }

  evalsha(sha: string, keys: number, ...args: RedisArgument[]): Promise<unknown> {
    return this.call('EVALSHA', sha, keys, ...args);
  }

  eval(source: string, keys: number, ...args: RedisArgument[]): Promise<unknown> {
    return this.call('EVAL', source, keys, ...args);
  }

  /** Commands of one turn of the event loop leave in one packet. */
  pipeline(): RedisPipeline {
    const calls: (readonly [string, ...RedisArgument[]])[] = [];
    return {
      call: (...call) => calls.push(call),
      evalsha: (...args) => calls.push(['EVALSHA', ...args]),
      eval: (...args) => calls.push(['EVAL', ...args]),
      exec: () =>
        Promise.all(
          calls.map((call) =>
            this.call(...call).then(
              (answer): [null, unknown] => [null, answer],
              (error: Error): [Error, unknown] => [error, null],
            ),
          ),
        ),
    };
  }

  subscribe(...channels: string[]): Promise<unknown> {
    return this.client
      .subscribe(channels, (_, channel) => this.emit('message', channel))
      .catch((error) => {
        throw replyError(error);
      });
  }

  unsubscribe(...channels: string[]): Promise<unknown> {
    return this.client.unsubscribe(channels);
  }
}

/** Errors of the server have the name that `ioredis` gives them. Their classes are known by name: the package may be installed twice. */
function replyError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  for (let type = error.constructor; typeof type === 'function'; type = Object.getPrototypeOf(type)) {
    if (type.name === 'ErrorReply') return Object.assign(new Error(error.message), { name: 'ReplyError' });
  }
  return error;
}
