/**
 * Notifications from Redis: one connection that subscribes for all watched elections of a store. It is made with the first watch,
 * ends with the last, is made again when it is lost, and keeps no process alive.
 *
 * Whoever watches gets a notification, too, when the connection was made: something may have happened while there was none.
 */
import type { Redis } from 'ioredis';
import type { RedisConnection } from './redis-connection.ts';

const CHECK_MS = 5_000;
const LEAST_WAIT_MS = 100;
const MOST_WAIT_MS = 5_000;

export class RedisHints {
  readonly #connection: RedisConnection;
  readonly #watchers = new Map<string, Set<() => void>>();
  #subscriber: Redis | null = null;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #isClosed = false;

  constructor(connection: RedisConnection) {
    this.#connection = connection;
  }

  watch(channel: string, onNotification: () => void): () => void {
    if (this.#isClosed) return () => undefined;
    const watchers = this.#watchers.get(channel) ?? new Set();
    const isNew = watchers.size === 0;
    this.#watchers.set(channel, watchers);
    // One function may watch twice: each watch has its own end.
    const watcher = (): void => onNotification();
    watchers.add(watcher);
    if (isNew) this.#tend();
    return () => {
      watchers.delete(watcher);
      if (watchers.size > 0 || this.#watchers.get(channel) !== watchers) return;
      this.#watchers.delete(channel);
      if (this.#watchers.size === 0) this.#rest();
      else this.#subscriber?.unsubscribe(channel).catch(() => undefined);
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#watchers.clear();
    this.#rest();
    this.#connection.close();
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#subscriber = null;
    this.#connection.drop();
  }

  /** Soon, so that many watches which begin together make one request; then again and again, to see that it lives. */
  #tend(afterMs = 0): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#subscribe(), afterMs).unref();
  }

  async #subscribe(): Promise<void> {
    let isNew = false;
    try {
      await this.#connection.call(async (redis) => {
        isNew = this.#subscriber !== redis;
        if (isNew) {
          this.#subscriber = redis;
          redis.on('message', (channel: string) => this.#notify(channel));
          redis.once('end', () => {
            if (this.#subscriber !== redis) return;
            this.#subscriber = null;
            this.#tend(LEAST_WAIT_MS);
          });
        }
        // Those that it has already are answered as well: a sign of life.
        const channels = [...this.#watchers.keys()];
        if (channels.length > 0) await redis.subscribe(...channels);
      });
      this.#failures = 0;
    } catch {
      // The reason comes to light where a lease is asked for.
      this.#failures++;
    }
    if (this.#watchers.size === 0) return this.#rest();
    const pauseMs = Math.min(MOST_WAIT_MS, LEAST_WAIT_MS * 2 ** Math.min(this.#failures, 10));
    this.#tend(this.#failures === 0 ? CHECK_MS : pauseMs * (0.5 + Math.random() / 2));
    if (isNew && this.#failures === 0) for (const channel of this.#watchers.keys()) this.#notify(channel);
  }

  #notify(channel: string): void {
    for (const watcher of [...(this.#watchers.get(channel) ?? [])]) watcher();
  }
}
