/**
 * A small pool of connections to one server, opened when needed. One connection serves any number of leases. Another one is
 * opened only when a statement has waited for a while, so that a dead connection does not block the others. Connections are
 * opened one at a time, the listener's too: many processes that start at once must not fill a slow server. Renewals and
 * releases are urgent: they come first, and one more connection is opened for them if other statements occupy all.
 *
 * Guaranteed: a statement is answered or rejected within its timeout. A statement that timed out is canceled, and its connection
 * is not used again. While the server has not ended such statements, few connections replace theirs. A broken connection is
 * replaced at the next statement. Only a pending statement and its cancellation keep the process alive. Not guaranteed: that a
 * rejected statement had no effect.
 */
import { StoreError } from '../../core/store-error.ts';
import { cancelStatement } from './postgres-cancel.ts';
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
/** How many connections may be opened in place of those that the server has not ended yet. */
const MOST_REPLACED = 2;
const CANCEL_AGAIN_MS = 5_000;
/** Then a connection is taken for dead: the network has lost it. */
const FORGET_MS = 60_000;

interface Waiter {
  readonly isUrgent: boolean;
  readonly timeoutMs: number;
  resolve(client: PostgresClient): void;
  reject(error: StoreError): void;
}

export class PostgresConnections {
  readonly #connect: Connect;
  readonly #options: ConnectionsOptions;
  readonly #open = new Set<PostgresClient>();
  readonly #idle: PostgresClient[] = [];
  /** Lent to statements that are not urgent. */
  readonly #ordinary = new Set<PostgresClient>();
  /** Of statements that timed out and are not seen to have ended. Each has the function that gives it up. */
  readonly #leaving = new Map<PostgresClient, () => void>();
  readonly #waiters: Waiter[] = [];
  #opening: { readonly client: PostgresClient; readonly use: 'statement' | 'listener' } | null = null;
  #isClosed = false;

  constructor(connect: Connect, options: ConnectionsOptions) {
    this.#connect = connect;
    this.#options = options;
  }

  /** Lends a connection for a few statements. */
  async use<T>(
    work: (client: PostgresClient) => Promise<T>,
    timeoutMs: number,
    isUrgent = false,
  ): Promise<T> {
    const { address } = this.#options;
    const endsAtMs = performance.now() + timeoutMs;
    const client = await this.#take(timeoutMs, isUrgent);
    client.ref();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      const give = (): void => {
        void this.#leave(client);
        const text = `${address.label}: no answer within ${timeoutMs} ms: check the network, the load of the server, and pg_locks`;
        reject(new StoreError('unreachable', text));
      };
      timer = setTimeout(give, Math.max(1, endsAtMs - performance.now()));
    });
    try {
      const answer = await Promise.race([work(client), late]);
      // A cancellation ends the wait for a synchronous standby: then the server answers before the standby has the write.
      if (this.#isClosed && !this.#open.has(client)) throw this.#closed();
      return answer;
    } catch (error) {
      if (!(error instanceof StoreError) && endsConnection(error)) this.#drop(client);
      throw postgresError(address, error);
    } finally {
      clearTimeout(timer);
      this.#ordinary.delete(client);
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
    const left = [...this.#open]
      .filter((client) => !idle.includes(client))
      .map((client) => this.#leave(client));
    const timer = setTimeout(() => {
      for (const giveUp of [...this.#leaving.values()]) giveUp();
    }, GOODBYE_MS);
    await Promise.all([...left, ...idle.map((client) => this.#end(client))]);
    clearTimeout(timer);
    for (const giveUp of [...this.#leaving.values()]) giveUp();
  }

  #closed(): StoreError {
    return new StoreError(
      'unreachable',
      `${this.#options.address.label} was closed by this process; open it again`,
    );
  }

  /** One connection more than `most` is for urgent statements. */
  #mayLend(isUrgent: boolean): boolean {
    return isUrgent || this.#ordinary.size < this.#options.most;
  }

  #lend(client: PostgresClient, isUrgent: boolean): PostgresClient {
    if (!isUrgent) this.#ordinary.add(client);
    return client;
  }

  #take(timeoutMs: number, isUrgent: boolean): Promise<PostgresClient> {
    if (this.#isClosed) return Promise.reject(this.#closed());
    const idle = this.#mayLend(isUrgent) ? this.#idle.pop() : undefined;
    if (idle !== undefined) return Promise.resolve(this.#lend(idle, isUrgent));
    return new Promise((resolve, reject) => {
      const { label } = this.#options.address;
      const giveUp = setTimeout(() => {
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
        if (this.#open.size === 0 && this.#mayOpen(isUrgent)) {
          const text = `${label}: no connection within ${timeoutMs} ms: check host, port and firewall`;
          reject(new StoreError('unreachable', text));
        } else {
          const text = `${label}: every connection was in use for ${timeoutMs} ms: nothing was sent; see pg_locks`;
          reject(new StoreError('busy', text));
        }
      }, timeoutMs);
      const more = setTimeout(() => void this.#openOne(timeoutMs, isUrgent), PATIENCE_MS);
      const settle = (): void => {
        clearTimeout(giveUp);
        clearTimeout(more);
      };
      const waiter: Waiter = {
        isUrgent,
        timeoutMs,
        resolve: (client) => {
          settle();
          resolve(this.#lend(client, isUrgent));
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      };
      this.#waiters.push(waiter);
      if (this.#open.size === 0) void this.#openOne(timeoutMs, isUrgent);
    });
  }

  #mayOpen(isUrgent: boolean): boolean {
    const most = this.#options.most + (isUrgent ? 1 : 0);
    return this.#open.size < most && this.#open.size + this.#leaving.size < most + MOST_REPLACED;
  }

  async #openOne(timeoutMs: number, isUrgent: boolean): Promise<void> {
    const { address } = this.#options;
    if (this.#isClosed || this.#opening?.use === 'statement' || !this.#mayOpen(isUrgent)) return;
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
    setTimeout(() => this.#openForWaiter(), PATIENCE_MS).unref();
  }

  #openForWaiter(): void {
    const waiter = this.#waiters.find(({ isUrgent }) => isUrgent) ?? this.#waiters[0];
    if (waiter !== undefined) void this.#openOne(waiter.timeoutMs, waiter.isUrgent);
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
      this.#serve();
      if (this.#open.size === 0) this.#openForWaiter();
      return;
    }
    client.unref();
    this.#idle.push(client);
    this.#serve();
    if (this.#idle.length > 1) setTimeout(() => this.#spare(client), SPARE_MS).unref();
  }

  /** Urgent waiters come first. */
  #serve(): void {
    while (this.#idle.length > 0) {
      const urgent = this.#waiters.findIndex(({ isUrgent }) => isUrgent);
      const place = Math.max(0, urgent);
      if (this.#waiters.length === 0 || !this.#mayLend(urgent !== -1)) return;
      const [waiter] = this.#waiters.splice(place, 1);
      waiter.resolve(this.#idle.pop()!);
    }
  }

  #spare(client: PostgresClient): void {
    const place = this.#idle.indexOf(client);
    if (place === -1 || this.#idle.length === 1) return;
    this.#idle.splice(place, 1);
    void this.#end(client);
  }

  /** Cancels the statement of a connection, and destroys the connection when the server has ended the statement. */
  #leave(client: PostgresClient): Promise<void> {
    this.#open.delete(client);
    client.unref();
    return new Promise((resolve) => {
      const cancel = (): void => void cancelStatement(this.#connect, client).catch(() => undefined);
      const again = setInterval(cancel, CANCEL_AGAIN_MS).unref();
      const forget = setTimeout(() => gone(), FORGET_MS).unref();
      const gone = (): void => {
        clearInterval(again);
        clearTimeout(forget);
        client.connection.stream.destroy();
        if (this.#leaving.delete(client)) this.#openForWaiter();
        resolve();
      };
      this.#leaving.set(client, gone);
      // Before the next statement of the same work is sent.
      client.on('drain', gone);
      client.on('end', gone);
      cancel();
    });
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
