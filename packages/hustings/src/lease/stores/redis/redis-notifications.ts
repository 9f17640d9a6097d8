/**
 * Notifications from Redis: one connection that subscribes for all watched elections of a store. It is opened with the first
 * watch, closed with the last, opened again when it is lost, and does not keep the process alive.
 *
 * Every watcher is also notified when the connection was opened, because a change may have been missed before. A subscription
 * is believed when a message came through it: the store publishes one to itself. An idle subscription sends no command. The
 * system's TCP keepalive detects a host that is gone, and a new connection for requests proves the subscription again.
 */
import { randomUUID } from 'node:crypto';
import { StoreError } from '../../core/store-error.ts';
import { Watchers } from '../watchers.ts';
import type { RedisServerConnection } from './redis-connection.ts';
import type { RedisSession } from './redis-session.ts';

const MIN_WAIT_MS = 100;
const MAX_WAIT_MS = 5_000;
/** For a user without permission, or a server whose messages do not arrive: that seldom changes while the process runs. */
const USELESS_WAIT_MS = 600_000;

export interface NotificationSettings {
  readonly prefix: string;
  readonly timeoutMs: number;
}

export class RedisNotifications {
  readonly #connection: RedisSession;
  readonly #requests: RedisSession;
  readonly #timeoutMs: number;
  /** No other process subscribes to this channel. */
  readonly #proofChannel: string;
  readonly #watchers = new Watchers();
  readonly #subscribed = new Set<string>();
  #subscriber: RedisServerConnection | null = null;
  #isPushing = false;
  #timer: NodeJS.Timeout | undefined;
  #proofTimer: NodeJS.Timeout | undefined;
  #errors = 0;
  #isClosed = false;

  /** `connection` is for subscriptions alone; messages are published over `requests`. */
  constructor(connection: RedisSession, requests: RedisSession, { prefix, timeoutMs }: NotificationSettings) {
    this.#connection = connection;
    this.#requests = requests;
    this.#timeoutMs = timeoutMs;
    this.#proofChannel = `${prefix}proof:${randomUUID()}`;
    requests.onConnect = () => {
      if (this.#isPushing) void this.#prove();
    };
  }

  get isPushing(): boolean {
    return this.#isPushing;
  }

  watch(channel: string, onNotification: () => void): () => void {
    if (this.#isClosed) return () => undefined;
    const isNew = !this.#watchers.has(channel);
    const end = this.#watchers.add(channel, onNotification, () => {
      if (this.#watchers.isEmpty) this.#disconnect();
      else if (this.#subscribed.delete(channel)) {
        this.#subscriber?.unsubscribe(channel).catch(() => undefined);
      }
    });
    if (isNew) this.#schedule();
    return end;
  }

  close(): void {
    this.#isClosed = true;
    this.#watchers.clear();
    this.#disconnect();
    this.#connection.close();
  }

  #disconnect(): void {
    clearTimeout(this.#timer);
    this.#forget();
    this.#connection.drop();
  }

  #forget(): void {
    clearTimeout(this.#proofTimer);
    this.#subscriber = null;
    this.#isPushing = false;
    this.#subscribed.clear();
  }

  /** Not at once, so that many watches that begin together make one request. */
  #schedule(afterMs = 0): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#subscribe(), afterMs).unref();
  }

  async #subscribe(): Promise<void> {
    let isNew = false;
    try {
      await this.#connection.call(async (redis) => {
        isNew = this.#subscriber !== redis;
        if (isNew) this.#listen(redis);
        const wanted = [this.#proofChannel, ...this.#watchers.names()];
        const channels = wanted.filter((channel) => !this.#subscribed.has(channel));
        for (const channel of channels) this.#subscribed.add(channel);
        if (channels.length > 0) await redis.subscribe(...channels);
      });
    } catch (error) {
      // The next request for a lease reports the reason.
      this.#retry(error);
      return;
    }
    if (this.#watchers.isEmpty) return this.#disconnect();
    if (isNew) this.#watchers.notifyAll();
    if (!this.#isPushing) await this.#prove();
  }

  #listen(redis: RedisServerConnection): void {
    this.#forget();
    this.#subscriber = redis;
    redis.on('message', (channel: string) => {
      if (this.#subscriber !== redis) return;
      clearTimeout(this.#proofTimer);
      this.#isPushing = true;
      this.#errors = 0;
      this.#watchers.notify(channel);
    });
    redis.on('end', () => {
      if (this.#subscriber !== redis) return;
      this.#forget();
      this.#schedule(MIN_WAIT_MS);
    });
  }

  /** Publishes a message to the own subscription. If it does not come, the subscription is made again. */
  async #prove(): Promise<void> {
    const subscriber = this.#subscriber;
    this.#isPushing = false;
    clearTimeout(this.#proofTimer);
    this.#proofTimer = setTimeout(() => this.#retry(), this.#timeoutMs).unref();
    try {
      await this.#requests.call((redis) => redis.call('PUBLISH', this.#proofChannel, ''));
    } catch (error) {
      if (this.#subscriber === subscriber && isDenied(error)) {
        // Others may publish. Their first message proves the subscription.
        clearTimeout(this.#proofTimer);
        this.#schedule(USELESS_WAIT_MS);
      }
    }
  }

  #retry(error?: unknown): void {
    this.#forget();
    this.#connection.drop();
    if (this.#watchers.isEmpty) return;
    const maxMs = error === undefined ? USELESS_WAIT_MS : MAX_WAIT_MS;
    const pauseMs = Math.min(maxMs, MIN_WAIT_MS * 2 ** Math.min(this.#errors++, 16));
    this.#schedule(isDenied(error) ? USELESS_WAIT_MS : pauseMs * (0.5 + Math.random() / 2));
  }
}

const isDenied = (error: unknown): boolean => error instanceof StoreError && error.kind === 'denied';
