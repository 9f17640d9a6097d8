/**
 * Notifications by LISTEN, over one separate connection for all elections. It is opened with the first watch, closed with the
 * last, opened again when it is lost, and does not keep the process alive. After each gap every watcher is notified, because
 * a change may have been missed.
 *
 * Not guaranteed: that a notification arrives. None ever arrives through a pooler in transaction mode, which accepts LISTEN
 * all the same. Therefore the store sends itself a probe, over another connection: a pooler may pass on what a connection
 * sends to itself.
 */
import { randomUUID } from 'node:crypto';
import { Watchers } from '../watchers.ts';
import type { Connect, PostgresClient } from './postgres-client.ts';
import { CHANNEL } from './postgres-sql.ts';

export interface ListenerConnections {
  readonly make: Connect;
  connect(client: PostgresClient): Promise<void>;
  /** Sends a notification over a connection for statements. */
  send(channel: string, text: string): Promise<void>;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
/** The first statement gets its connection before the listener does. */
const START_MS = 20;
/** A connection through which no probe comes any more is replaced. */
const PROBE_EVERY_MS = 30_000;

/** A probe that could not be sent. */
const PROBE_AGAIN_MS = 1_000;

export class PostgresListener {
  readonly #connections: ListenerConnections;
  readonly #watchers = new Watchers();
  #client: PostgresClient | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #isClosed = false;
  readonly #probeChannel = `hustings_probe_${randomUUID().replaceAll('-', '')}`;
  /** The number of the latest probe; `#lastReceivedProbe` is the latest that came back. */
  #probe = 0;
  #lastReceivedProbe = 0;
  #isPushing = false;

  constructor(connections: ListenerConnections) {
    this.#connections = connections;
  }

  get isPushing(): boolean {
    return this.#isPushing;
  }

  watch(name: string, onNotification: () => void): () => void {
    const end = this.#watchers.add(name, onNotification, () => {
      if (this.#watchers.isEmpty) this.#stop();
    });
    if (!this.#isClosed && this.#client === undefined && this.#timer === undefined) {
      this.#after(START_MS, () => this.#start());
    }
    return end;
  }

  close(): void {
    this.#isClosed = true;
    this.#watchers.clear();
    this.#stop();
  }

  #after(ms: number, act: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, ms);
    this.#timer.unref();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isPushing = false;
    // A probe of the past may be under way.
    this.#probe += 1;
    const client = this.#client;
    this.#client = undefined;
    client?.destroy();
  }

  #start(): void {
    let client: PostgresClient;
    try {
      client = this.#connections.make();
    } catch {
      this.#later();
      return;
    }
    this.#client = client;
    const isCurrent = (): boolean => this.#client === client;
    const lost = (): void => {
      if (isCurrent()) this.#restart();
    };
    client.on('error', lost);
    client.on('end', lost);
    client.on('notification', ({ channel, payload = '' }) => {
      if (!isCurrent()) return;
      if (channel === CHANNEL) this.#watchers.notify(payload);
      else if (payload === `${this.#probe}`) {
        this.#lastReceivedProbe = this.#probe;
        this.#isPushing = true;
      }
    });
    client.unref();
    this.#connections
      .connect(client)
      .then(() => {
        client.unref();
        return client.query({ text: `LISTEN ${CHANNEL}; LISTEN ${this.#probeChannel}` });
      })
      .then(() => {
        if (!isCurrent()) return;
        this.#pauseMs = FIRST_PAUSE_MS;
        this.#sendProbe();
        this.#watchers.notifyAll();
      })
      .catch(lost);
  }

  #restart(): void {
    this.#stop();
    this.#later();
  }

  /** Exponential back-off with full jitter, so that not all clients reconnect at the same time. */
  #later(): void {
    this.#after(this.#pauseMs * Math.random(), () => this.#start());
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2);
  }

  #sendProbe(): void {
    this.#probe += 1;
    const probe = this.#probe;
    this.#after(PROBE_EVERY_MS, () => {
      if (this.#isPushing && this.#lastReceivedProbe < probe) this.#restart();
      else this.#sendProbe();
    });
    this.#connections.send(this.#probeChannel, `${probe}`).catch(() => {
      if (this.#client !== undefined && this.#probe === probe) {
        this.#after(PROBE_AGAIN_MS, () => this.#sendProbe());
      }
    });
  }
}
