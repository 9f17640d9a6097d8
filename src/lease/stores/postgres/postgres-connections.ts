/**
 * A small pool of connections to one server, opened when needed. One connection serves any number of leases. Another one is
 * opened only when a statement has waited for a while, so that a dead connection does not block the others. Connections are
 * opened one at a time, the listener's too: many processes that start at once must not fill a slow server.
 *
 * Guaranteed: a statement is answered or rejected within its timeout. A connection whose statement timed out is destroyed. A
 * broken connection is replaced at the next statement. Only a pending statement keeps the process alive. Not guaranteed: that
 * a rejected statement had no effect.
 */
import { StoreError } from '../../store-error.ts';
import type { Connect, PostgresAddress, PostgresClient } from './postgres-client.ts';
import { endsConnection, postgresError } from './postgres-error.ts';

export interface ConnectionsOptions {
  readonly address: PostgresAddress;
  readonly most: number;
}

/** How long a statement waits for a connection in use before another one is opened. */
const PATIENCE_MS = 50;
const SPARE_MS = 10_000;
const GOODBYE_MS = 500;

interface Waiter {
  readonly timeoutMs: number;
  resolve(client: PostgresClient): void;
  reject(error: StoreError): void;
}

export class PostgresConnections {
  readonly #connect: Connect;
  readonly #options: ConnectionsOptions;
  readonly #open = new Set<PostgresClient>();
  readonly #idle: PostgresClient[] = [];
  readonly #waiters: Waiter[] = [];
  #opening: { readonly client: PostgresClient; readonly use: 'statement' | 'listener' } | null = null;
  #isClosed = false;

  constructor(connect: Connect, options: ConnectionsOptions) {
    this.#connect = connect;
    this.#options = options;
  }

  /** Lends a connection for a few statements. */
  async use<T>(work: (client: PostgresClient) => Promise<T>, timeoutMs: number): Promise<T> {
    const { address } = this.#options;
    const endsAtMs = performance.now() + timeoutMs;
    const client = await this.#take(timeoutMs);
    client.ref();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      const give = (): void => {
        this.#drop(client);
        const text = `${address.label}: no answer within ${timeoutMs} ms: check the network and the load of the server`;
        reject(new StoreError('unreachable', text));
      };
      timer = setTimeout(give, Math.max(1, endsAtMs - performance.now()));
    });
    try {
      return await Promise.race([work(client), late]);
    } catch (error) {
      if (!(error instanceof StoreError) && endsConnection(error)) this.#drop(client);
      throw postgresError(address, error);
    } finally {
      clearTimeout(timer);
      this.#give(client);
    }
  }

  /** Connects the listener's client, unless a statement needs a connection: then it rejects. */
  async connectListener(client: PostgresClient, timeoutMs: number): Promise<void> {
    if (this.#isClosed) throw this.#closed();
    if (this.#opening !== null) throw new Error('a connection for a statement is being opened');
    await this.#connectOne(client, timeoutMs, 'listener');
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#rejectWaiters(this.#closed());
    const idle = this.#idle.splice(0);
    for (const client of [...this.#open]) if (!idle.includes(client)) this.#drop(client);
    await Promise.all(idle.map((client) => this.#end(client)));
  }

  #closed(): StoreError {
    return new StoreError(
      'unreachable',
      `${this.#options.address.label} was closed by this process; open it again`,
    );
  }

  #take(timeoutMs: number): Promise<PostgresClient> {
    if (this.#isClosed) return Promise.reject(this.#closed());
    const idle = this.#idle.pop();
    if (idle !== undefined) return Promise.resolve(idle);
    return new Promise((resolve, reject) => {
      const { label } = this.#options.address;
      const giveUp = setTimeout(() => {
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
        const text =
          this.#open.size === 0
            ? `${label}: no connection within ${timeoutMs} ms: check host, port and firewall`
            : `${label}: every connection was in use for ${timeoutMs} ms: nothing was sent`;
        reject(new StoreError(this.#open.size === 0 ? 'unreachable' : 'busy', text));
      }, timeoutMs);
      const more = setTimeout(() => void this.#openOne(timeoutMs), PATIENCE_MS);
      const settle = (): void => {
        clearTimeout(giveUp);
        clearTimeout(more);
      };
      const waiter: Waiter = {
        timeoutMs,
        resolve: (client) => {
          settle();
          resolve(client);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      };
      this.#waiters.push(waiter);
      if (this.#open.size === 0) void this.#openOne(timeoutMs);
    });
  }

  async #openOne(timeoutMs: number): Promise<void> {
    const { address, most } = this.#options;
    if (this.#isClosed || this.#opening?.use === 'statement' || this.#open.size >= most) return;
    this.#opening?.client.connection.stream.destroy();
    let client: PostgresClient | undefined;
    try {
      const made = this.#connect();
      client = made;
      client.on('error', () => this.#drop(made));
      client.on('end', () => this.#drop(made));
      await this.#connectOne(client, timeoutMs, 'statement');
    } catch (error) {
      if (client !== undefined) this.#drop(client);
      // While another connection works, waiting statements wait for it. If there is none, they fail now.
      if (this.#open.size === 0) this.#rejectWaiters(postgresError(address, error));
      return;
    }
    if (this.#isClosed) {
      client.connection.stream.destroy();
      return;
    }
    this.#open.add(client);
    this.#give(client);
    // Their patience ended while this connection was being opened.
    if (this.#waiters.length > 0) this.#openMore();
  }

  #openMore(): void {
    const more = (): void => {
      if (this.#waiters.length > 0) void this.#openOne(this.#waiters[0].timeoutMs);
    };
    setTimeout(more, PATIENCE_MS).unref();
  }

  async #connectOne(client: PostgresClient, timeoutMs: number, use: 'statement' | 'listener'): Promise<void> {
    const opening = { client, use };
    this.#opening = opening;
    const timer = setTimeout(() => client.connection.stream.destroy(), timeoutMs).unref();
    try {
      await client.connect();
    } finally {
      clearTimeout(timer);
      if (this.#opening === opening) this.#opening = null;
    }
  }

  #rejectWaiters(error: StoreError): void {
    for (const waiter of this.#waiters.splice(0)) waiter.reject(error);
  }

  #give(client: PostgresClient): void {
    if (!this.#open.has(client)) {
      if (this.#waiters.length > 0 && this.#open.size === 0) {
        void this.#openOne(this.#waiters[0].timeoutMs);
      }
      return;
    }
    const waiter = this.#waiters.shift();
    if (waiter !== undefined) {
      waiter.resolve(client);
      return;
    }
    client.unref();
    this.#idle.push(client);
    if (this.#idle.length > 1) setTimeout(() => this.#spare(client), SPARE_MS).unref();
  }

  #spare(client: PostgresClient): void {
    const place = this.#idle.indexOf(client);
    if (place === -1 || this.#idle.length === 1) return;
    this.#idle.splice(place, 1);
    void this.#end(client);
  }

  #drop(client: PostgresClient): void {
    this.#open.delete(client);
    const place = this.#idle.indexOf(client);
    if (place !== -1) this.#idle.splice(place, 1);
    client.connection.stream.destroy();
  }

  async #end(client: PostgresClient): Promise<void> {
    this.#open.delete(client);
    client.ref();
    const timer = setTimeout(() => client.connection.stream.destroy(), GOODBYE_MS);
    await client.end().catch(() => undefined);
    clearTimeout(timer);
  }
}
