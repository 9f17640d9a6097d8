/**
 * Notifications from Redis: one connection that subscribes for all watched elections of a store. It is opened with the first
 * watch, closed with the last, opened again when it is lost, and does not keep the process alive.
 *
 * Every watcher is also notified when the connection was opened, because a change may have been missed before.
 */
import type { Redis } from 'ioredis';
import type { RedisSession } from './redis-session.ts';

const CHECK_MS = 5_000;
const LEAST_WAIT_MS = 100;
const MOST_WAIT_MS = 5_000;

export class RedisNotifications {
  readonly #connection: RedisSession;
  readonly #watchers = new Map<string, Set<() => void>>();
  #subscriber: Redis | null = null;
  #timer: NodeJS.Timeout | undefined;
  #errors = 0;
  #isClosed = false;

  constructor(connection: RedisSession) {
    this.#connection = connection;
  }

  watch(channel: string, onNotification: () => void): () => void {
    if (this.#isClosed) return () => undefined;
    const watchers = this.#watchers.get(channel) ?? new Set();
    const isNew = watchers.size === 0;
    this.#watchers.set(channel, watchers);
    // A wrapper, because the same function may watch twice.
    const watcher = (): void => onNotification();
    watchers.add(watcher);
    if (isNew) this.#schedule();
    return () => {
      watchers.delete(watcher);
      if (watchers.size > 0 || this.#watchers.get(channel) !== watchers) return;
      this.#watchers.delete(channel);
      if (this.#watchers.size === 0) this.#disconnect();
      else this.#subscriber?.unsubscribe(channel).catch(() => undefined);
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#watchers.clear();
    this.#disconnect();
    this.#connection.close();
  }

  #disconnect(): void {
    clearTimeout(this.#timer);
    this.#subscriber = null;
    this.#connection.drop();
  }

  /** Not at once, so that many watches that begin together make one request. Then again and again, as a health check. */
  #schedule(afterMs = 0): void {
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
            this.#schedule(LEAST_WAIT_MS);
          });
        }
        // Repeated subscriptions are acknowledged too: a sign of life.
        const channels = [...this.#watchers.keys()];
        if (channels.length > 0) await redis.subscribe(...channels);
      });
      this.#errors = 0;
    } catch {
      // The next request for a lease reports the reason.
      this.#errors++;
    }
    if (this.#watchers.size === 0) return this.#disconnect();
    const pauseMs = Math.min(MOST_WAIT_MS, LEAST_WAIT_MS * 2 ** Math.min(this.#errors, 10));
    this.#schedule(this.#errors === 0 ? CHECK_MS : pauseMs * (0.5 + Math.random() / 2));
    if (isNew && this.#errors === 0) for (const channel of this.#watchers.keys()) this.#notify(channel);
  }

  #notify(channel: string): void {
    for (const watcher of [...(this.#watchers.get(channel) ?? [])]) watcher();
  }
}
