/**
 * One connection to the primary, which is opened when needed and opened again when it is lost.
 *
 * Guaranteed: a call ends within its timeout, with an answer or a `StoreError`. A connection that did not answer in time is
 * destroyed, because its other end may be gone; the next call opens a new one. Nothing is queued, and nothing is sent twice.
 * Without a pending call it does not keep the process alive.
 */
import { closedError, StoreError } from '../../core/store-error.ts';
import type { Credentials } from '../../lease-store.ts';
import { freshLogin } from '../fresh-login.ts';
import { RequestTimers } from '../request-timer.ts';
import type { RedisAddress, RedisLibrary, RedisServerConnection } from './redis-connection.ts';
import { redisError } from './redis-error.ts';
import { RedisPrimary, type RedisRedirect } from './redis-primary.ts';
import type { RedisStoreSettings } from './redis-settings.ts';

/** An open connection to a primary. */
export interface RedisLink<Connection extends RedisServerConnection = RedisServerConnection> {
  readonly redis: Connection;
  /** Identifies this start of the server: a restart ends the connection. Empty if the user may not run INFO. */
  readonly runId: string;
  /** Whether the server refuses writes as soon as it is a replica. False if the user may not ask for it. */
  readonly refusesAsReplica: boolean;
  /** When a script last examined the server, on the clock `performance.now`. */
  examinedMs: number;
  /** Each command must follow ASKING: this node of a Cluster receives the slot and does not own it yet. */
  readonly isAsking: boolean;
}

export class RedisSession<Connection extends RedisServerConnection = RedisServerConnection> {
  readonly #library: RedisLibrary<Connection>;
  readonly #settings: RedisStoreSettings;
  readonly #primary: RedisPrimary;
  readonly #timers: RequestTimers;
  /** All connections that are open or being opened. */
  readonly #connections = new Set<Connection>();
  #link: Promise<RedisLink<Connection>> | null = null;
  /** To the node that receives the slot of the store, while it is being moved. */
  #asked: { readonly key: string; readonly link: Promise<RedisLink<Connection>> } | null = null;
  readonly #isSubscriber: boolean;
  #dropping = new AbortController();
  #isClosed = false;
  /** Called when a connection was opened. */
  onConnect: (() => void) | undefined;

  /** A subscriber can send no other commands, and its pending calls do not keep the process alive either. */
  constructor(library: RedisLibrary<Connection>, settings: RedisStoreSettings, isSubscriber = false) {
    this.#library = library;
    this.#settings = settings;
    this.#primary = new RedisPrimary(library as unknown as RedisLibrary, settings);
    this.#timers = new RequestTimers(!isSubscriber);
    this.#isSubscriber = isSubscriber;
  }

  call<T>(
    work: (redis: Connection, link: RedisLink<Connection>) => Promise<T>,
    timeoutMs = this.#settings.timeoutMs,
  ): Promise<T> {
    return this.#call((link) => work(link.redis, link), timeoutMs);
  }

  async #call<T>(work: (link: RedisLink<Connection>) => Promise<T>, timeoutMs: number): Promise<T> {
    const { label } = this.#settings;
    if (this.#isClosed) throw closedError(label);
    // The client library rejects all pending calls of a destroyed connection.
    const deadline = this.#timers.start(timeoutMs, () => this.drop());
    try {
      this.#link ??= this.#open(null);
      const link = await this.#link;
      // The scripts check the role with INFO. Without it HELLO does, in the same round trip.
      if (link.runId !== '' || this.#isSubscriber) return await work(link);
      const role = link.redis.call('HELLO', '2').then((hello) => this.#refuse(hello as string[]));
      const [answer] = await Promise.all([work(link), role]);
      return answer;
    } catch (error) {
      if (deadline.isOver) {
        throw new StoreError('unreachable', `${label} did not answer within ${timeoutMs} ms; check its load`);
      }
      const storeError = redisError(this.#settings, error);
      // The address may now belong to another server that accepts writes.
      if (/READONLY|is a replica/.test(storeError.message)) this.drop();
      throw storeError;
    } finally {
      this.#timers.end(deadline);
    }
  }

  /** The link to the node to which a Cluster has redirected a command of this link. */
  async follow(from: RedisLink<Connection>, redirect: RedisRedirect): Promise<RedisLink<Connection>> {
    const { type } = redirect;
    const address = this.#primary.reachable(redirect.address);
    if (type === 'ask') {
      const key = `${address.host}:${address.port}`;
      if (this.#asked?.key !== key) this.#asked = { key, link: this.#open(address) };
      return { ...(await this.#asked.link), isAsking: true };
    }
    const current = await this.#link?.catch(() => undefined);
    if (this.#link === null || current?.redis === from.redis) {
      this.#primary.redirect(address);
      this.#link = this.#open(null);
      // Other calls still wait for answers on the old connection.
      setTimeout(() => this.#end(from.redis), this.#settings.timeoutMs).unref();
    }
    return this.#link;
  }

  /** The next call opens a new connection. */
  drop(): void {
    this.#link = null;
    this.#asked = null;
    this.#dropping.abort();
    this.#dropping = new AbortController();
    this.#primary.stop();
    for (const redis of [...this.#connections]) this.#end(redis);
  }

  close(): void {
    this.#isClosed = true;
    this.drop();
  }

  #end(redis: Connection): void {
    if (this.#connections.delete(redis)) this.#library.destroy(redis);
  }

  /** Null: the primary is looked for. */
  #open(address: RedisAddress | null): Promise<RedisLink<Connection>> {
    const forget = (): void => {
      if (this.#link === link) this.#link = null;
      if (this.#asked?.link === link) this.#asked = null;
    };
    const link = this.#connect(address, forget);
    link.catch(forget);
    return link;
  }

  async #connect(address: RedisAddress | null, onEnd: () => void): Promise<RedisLink<Connection>> {
    const { signal } = this.#dropping;
    const login = await unlessAborted(signal, this.#login());
    const target = { address: address ?? (await this.#primary.find(login)), type: 'server', login } as const;
    signal.throwIfAborted();
    const redis = this.#library.create(target);
    this.#connections.add(redis);
    let failure: unknown;
    redis.on('error', (error) => {
      failure ??= error;
    });
    redis.on('end', () => {
      this.#connections.delete(redis);
      onEnd();
    });
    try {
      const connected = redis.connect();
      setImmediate(() => this.#library.unref(redis));
      await connected;
      // A missing database is an event, not a rejection: ignored, the connection would use another database.
      if (failure !== undefined) throw failure;
      const link = await this.#examine(redis);
      this.onConnect?.();
      return link;
    } catch (error) {
      this.#end(redis);
      // The rejection only says "closed"; the reason came as an event before.
      throw failure ?? error;
    }
  }

  async #login(): Promise<Credentials | null> {
    const { credentials, label } = this.#settings;
    return credentials === undefined ? null : freshLogin(label, credentials);
  }

  async #examine(redis: Connection): Promise<RedisLink<Connection>> {
    const pipeline = redis.pipeline();
    pipeline.call('HELLO', '2');
    pipeline.call('INFO', 'server');
    pipeline.call('CONFIG', 'GET', 'replica-read-only');
    const [[noHello, hello], [noInfo, info], [noConfig, config]] = (await pipeline.exec()) as [
      [Error | null, string[]],
      [Error | null, string],
      [Error | null, string[]],
    ];
    if (noHello) throw noHello;
    this.#refuse(hello);
    return {
      redis,
      runId: (noInfo ? undefined : parseInfo(info).get('run_id')) ?? '',
      refusesAsReplica: !noConfig && config[1] === 'yes',
      examinedMs: Number.NEGATIVE_INFINITY,
      isAsking: false,
    };
  }

  /** Refuses a server that does not decide who holds a lease. Every user may run HELLO. */
  #refuse(hello: readonly string[]): void {
    const word = (name: string): string => hello[hello.indexOf(name) + 1];
    const { label, place } = this.#settings;
    if (word('mode') === 'sentinel') {
      throw new StoreError(
        'unusable',
        `${label} is a Sentinel, which keeps no leases; name the primary in the URL, or write redis+sentinel://…`,
      );
    }
    if (word('mode') === 'cluster' && place.type !== 'cluster') {
      throw new StoreError(
        'unusable',
        `${label} is a node of a Redis Cluster; write redis+cluster://… or give the client of the Cluster`,
      );
    }
    if (word('role') !== 'master') {
      const advice = place.type === 'server' ? 'name the primary in the URL' : 'the elector tries again';
      throw new StoreError('busy', `${label} is a replica, which may lag behind; ${advice}`);
    }
  }
}

async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop);
  });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', stop));
}

/** The lines of INFO by their names. Empty if the user may not run it. */
export function parseInfo(text: string): ReadonlyMap<string, string> {
  const lines = text.split('\r\n').filter((line) => /^[^#].*:/.test(line));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]));
}
