/**
 * What the store needs of a client library. A connection is opened once, sends each command once, and is not opened again.
 * The interface has the shape of `ioredis`, so that its connections need no wrapper.
 */
import type { Credentials } from '../../lease-store.ts';

export type RedisArgument = string | number;

export interface RedisPipeline {
  call(command: string, ...args: RedisArgument[]): unknown;
  evalsha(sha: string, keys: number, ...args: RedisArgument[]): unknown;
  eval(source: string, keys: number, ...args: RedisArgument[]): unknown;
  exec(): Promise<[error: Error | null, answer: unknown][] | null>;
}

export interface RedisServerConnection {
  connect(): Promise<unknown>;
  call(command: string, ...args: RedisArgument[]): Promise<unknown>;
  evalsha(sha: string, keys: number, ...args: RedisArgument[]): Promise<unknown>;
  eval(source: string, keys: number, ...args: RedisArgument[]): Promise<unknown>;
  pipeline(): RedisPipeline;
  subscribe(...channels: string[]): Promise<unknown>;
  unsubscribe(...channels: string[]): Promise<unknown>;
  on(event: 'message', listener: (channel: string) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
}

export interface RedisAddress {
  readonly host: string;
  readonly port: number;
}

export interface RedisTarget {
  /** Null: the address that the library was configured with. */
  readonly address: RedisAddress | null;
  /** A Sentinel has a login and TLS settings of its own. */
  readonly type: 'server' | 'sentinel';
  /** Null: the login that the library was configured with. */
  readonly login: Credentials | null;
}

/** A client library with the configuration of its connections. */
export interface RedisLibrary<Connection extends RedisServerConnection = RedisServerConnection> {
  /** The connection is not open yet. */
  create(target: RedisTarget): Connection;
  /** The connection no longer keeps the process alive. */
  unref(connection: Connection): void;
  /** Ends the connection now, without waiting for its other end, and rejects its pending calls. */
  destroy(connection: Connection): void;
}

/** Where the primary is: at the configured address, or where Sentinels or the nodes of a Cluster say. */
export type RedisPlace =
  | { readonly type: 'server' }
  | {
      readonly type: 'sentinel';
      readonly sentinels: readonly RedisAddress[];
      readonly group: string;
      readonly mapped?: AddressMap | undefined;
    }
  | {
      readonly type: 'cluster';
      readonly nodes: readonly RedisAddress[];
      readonly mapped?: AddressMap | undefined;
    };

/** From the address that a server gives to the one at which it can be reached from here. */
export type AddressMap = (address: RedisAddress) => RedisAddress;
