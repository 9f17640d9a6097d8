/** The existing clients whose servers a store can use. Their types need no client library. */

/** A client of `ioredis`: an instance of `Redis`, also with Sentinels, or of `Cluster`. */
export interface IoredisClient {
  readonly isCluster: boolean;
  readonly options: object;
  /** Opens another connection with the same options. */
  duplicate(...args: never[]): unknown;
}

/** A client or cluster of `redis` (node-redis 5). */
export interface NodeRedisClient {
  readonly options?: object | undefined;
  /** Sends one command. */
  sendCommand(...args: never[]): unknown;
  /** Opens another connection with the same options. */
  duplicate(...args: never[]): unknown;
}

/** An existing client whose servers a store can use. */
export type RedisClient = IoredisClient | NodeRedisClient;
