/**
 * Notifications by LISTEN, over one separate connection for all elections. It is opened with the first watch, closed with the
 * last, opened again when it is lost, and does not keep the process alive. After each gap every watcher is notified, because
 * a change may have been missed.
 *
 * Not guaranteed: that a notification arrives. None ever arrives through a pooler in transaction mode.
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
    // A wrapper, because the same function may watch twice.
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

  /** Exponential back-off with full jitter, so that not all clients reconnect at the same time. */
  #later(): void {
    this.#retry = setTimeout(() => this.#start(), this.#pauseMs * Math.random());
    this.#retry.unref();
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2);
  }

  #notify(name: string): void {
    for (const watcher of [...(this.#watchers.get(name) ?? [])]) watcher();
  }
}
