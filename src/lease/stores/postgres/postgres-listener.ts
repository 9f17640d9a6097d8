/**
 * Notifications by LISTEN, over one connection of its own for all names. It is made with the first watch and ended with the last,
 * comes back by itself when it breaks, and keeps no process alive. After each gap every watcher has a notification, since
 * one may have been missed.
 *
 * Not guaranteed: that a notification comes. Through a pooler that lends connections for single transactions none ever does.
 */
import type { Connect, PostgresClient } from './postgres-client.ts';
import { CHANNEL } from './postgres-statements.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;

export class PostgresListener {
  readonly #connect: Connect;
  readonly #watchers = new Map<string, Set<() => void>>();
  #client: PostgresClient | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #isClosed = false;

  constructor(connect: Connect) {
    this.#connect = connect;
  }

  watch(name: string, onNotification: () => void): () => void {
    // One function may watch twice: each watch has its own end.
    const watcher = (): void => onNotification();
    const watchers = this.#watchers.get(name) ?? new Set();
    this.#watchers.set(name, watchers.add(watcher));
    if (!this.#isClosed && this.#client === undefined && this.#retry === undefined) this.#start();
    return () => {
      watchers.delete(watcher);
      if (watchers.size === 0 && this.#watchers.get(name) === watchers) this.#watchers.delete(name);
      if (this.#watchers.size === 0) this.#stop();
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#watchers.clear();
    this.#stop();
  }

  #stop(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    const client = this.#client;
    this.#client = undefined;
    client?.connection.stream.destroy();
  }

  #start(): void {
    this.#retry = undefined;
    let client: PostgresClient;
    try {
      client = this.#connect();
    } catch {
      this.#later();
      return;
    }
    this.#client = client;
    const isCurrent = (): boolean => this.#client === client;
    const lost = (): void => {
      if (!isCurrent()) return;
      this.#client = undefined;
      client.connection.stream.destroy();
      this.#later();
    };
    client.on('error', lost);
    client.on('end', lost);
    client.on('notification', ({ payload }) => {
      if (payload !== undefined && isCurrent()) this.#notify(payload);
    });
    client.unref();
    client
      .connect()
      .then(() => {
        client.unref();
        return client.query({ text: `LISTEN ${CHANNEL}` });
      })
      .then(() => {
        if (!isCurrent()) return;
        this.#pauseMs = FIRST_PAUSE_MS;
        for (const name of [...this.#watchers.keys()]) this.#notify(name);
      })
      .catch(lost);
  }

  /** At a random moment of a pause that doubles, so that not all who lost a server come back at once. */
  #later(): void {
    this.#retry = setTimeout(() => this.#start(), this.#pauseMs * Math.random());
    this.#retry.unref();
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2);
  }

  #notify(name: string): void {
    for (const watcher of [...(this.#watchers.get(name) ?? [])]) watcher();
  }
}
