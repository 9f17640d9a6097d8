/** The session of a store with ZooKeeper: begun by the first call, and followed by another one after it has expired. */
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { closedError } from '../../core/store-error.ts';
import { zookeeperError } from './zookeeper-error.ts';
import type { NodeEvent } from './zookeeper-events.ts';
import { type ZookeeperRequest, ZookeeperRequests } from './zookeeper-protocol.ts';
import { ZookeeperSession } from './zookeeper-session.ts';
import type { ZookeeperSettings } from './zookeeper-settings.ts';

/** Told of what happens to the sessions of a client. */
export interface ClientListener {
  /** Watches of an earlier connection are gone; with another session its nodes are gone too, or will be. */
  onConnection(isConnected: boolean): void;
  onEvent(path: string, event: NodeEvent): void;
}

export class ZookeeperClient {
  readonly requests: ZookeeperRequests;
  readonly #settings: ZookeeperSettings;
  #listener: ClientListener | null = null;
  #session: ZookeeperSession | null = null;
  #isClosed = false;

  constructor(settings: ZookeeperSettings) {
    this.#settings = settings;
    this.requests = new ZookeeperRequests(settings.digest === '' ? 'everybody' : 'creator');
  }

  set listener(listener: ClientListener) {
    this.#listener = listener;
  }

  /** The present session, which may not be established. */
  get session(): ZookeeperSession {
    if (this.#session !== null && !this.#session.isOver) return this.#session;
    if (this.#isClosed) throw closedError(this.#settings.label);
    const session: ZookeeperSession = new ZookeeperSession(this.#settings, {
      onConnection: (isConnected) => this.#listener?.onConnection(isConnected),
      onEvent: (path, event) => this.#listener?.onEvent(path, event),
      onExpired: () => {
        // Not later: the watchers wait for it.
        if (this.#session === session && !this.#isClosed) void this.session;
      },
    });
    this.#session = session;
    return session;
  }

  /** The present session, with its id. Rejects with a `StoreError`. */
  async established(): Promise<ZookeeperSession> {
    const { session } = this;
    await session.established().catch((error: unknown) => {
      throw zookeeperError(this.#settings, error);
    });
    return session;
  }

  /** Rejects with a `StoreError` or a `ZookeeperAnswerError`. */
  ask<Answer>(request: ZookeeperRequest<Answer>): Promise<Answer> {
    return this.session.request(request);
  }

  /** The answer to a command of four letters; '' if the server does not allow it. */
  command(word: string): Promise<string> {
    const { tls, timeoutMs } = this.#settings;
    const { server } = this.session;
    return new Promise((resolve) => {
      let answer = '';
      const socket = tls === null ? connect(server) : connectTls({ ...server, ...tls });
      socket.setTimeout(timeoutMs, () => socket.destroy());
      socket.on(tls === null ? 'connect' : 'secureConnect', () => socket.write(word));
      socket.on('data', (data) => (answer += data.toString()));
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(answer));
    });
  }

  /** `endsSession`: its nodes are deleted at once, and not when it expires. */
  async close(endsSession: boolean): Promise<void> {
    this.#isClosed = true;
    await this.#session?.close(endsSession);
  }
}
