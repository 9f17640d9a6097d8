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
import { closedError, StoreError } from '../core/store-error.ts';
import { JoinedRounds } from './joined-rounds.ts';
import { type RequestTimer, RequestTimers } from './request-timer.ts';
import type { RunRound } from './rounds.ts';

/** One connection of a client library. */
export interface ServerConnection {
  connect(): Promise<unknown>;
  end(): Promise<void>;
  /** `drain`: the last statement was answered. */
  on(event: 'error' | 'end' | 'drain', listener: (error?: unknown) => void): unknown;
  ref(): void;
  unref(): void;
}

/** What differs from one client library to the next. */
export interface ConnectionsOptions<Client> {
  readonly label: string;
  /** The largest number of connections. */
  readonly most: number;
  /** Where the server shows its locks, for errors. */
  readonly locks: string;
  /** A client that is not connected yet. */
  make(): Client;
  /** Closes its socket at once. */
  destroy(client: Client): void;
  /** Asks the server to end the statement of this client. */
  cancel(client: Client): Promise<void>;
  toStoreError(error: unknown): StoreError;
  /** Whether a connection that gave this error may not be used again. */
  endsConnection(error: unknown): boolean;
}

/** How long a statement waits for a connection in use before another one is opened. */
const PATIENCE_MS = 50;
const SPARE_MS = 10_000;
const GOODBYE_MS = 500;
/** How many connections may be opened in place of those that the server has not ended yet. */
const MAX_REPLACED = 2;
const CANCEL_AGAIN_MS = 5_000;
/** Then a connection is taken for dead: the network has lost it. */
const FORGET_MS = 60_000;

interface Waiter<Client> {
  readonly isUrgent: boolean;
  readonly timeoutMs: number;
  resolve(client: Client): void;
  reject(error: StoreError): void;
}

export class ServerConnections<Client extends ServerConnection> {
  readonly #options: ConnectionsOptions<Client>;
  readonly #open = new Set<Client>();
  readonly #idle: Client[] = [];
  /** Lent to statements that are not urgent. */
  readonly #ordinary = new Set<Client>();
  /** The clients of statements that timed out and are not seen to have ended. Each has the function that gives it up. */
  readonly #leaving = new Map<Client, () => void>();
  readonly #waiters: Waiter<Client>[] = [];
  readonly #timers = new RequestTimers(true);
  #opening: { readonly client: Client; readonly use: 'statement' | 'listener' } | null = null;
  #isClosed = false;

  constructor(options: ConnectionsOptions<Client>) {
    this.#options = options;
  }

  /** Lends a connection for a few statements. */
  async use<T>(work: (client: Client) => Promise<T>, timeoutMs: number, isUrgent = false): Promise<T> {
    const { label, locks, endsConnection, toStoreError } = this.#options;
    const endsAtMs = performance.now() + timeoutMs;
    const client = await this.#take(timeoutMs, isUrgent);
    client.ref();
    let timer: RequestTimer | undefined;
    try {
      const answer = await new Promise<T>((resolve, reject) => {
        const giveUp = (): void => {
          void this.#leave(client);
          const text = `${label}: no answer within ${timeoutMs} ms: check the network, the load of the server, and ${locks}`;
          reject(new StoreError('unreachable', text));
        };
        // In whole milliseconds, so that the timer of the last statement fits.
        timer = this.#timers.start(Math.max(1, Math.ceil(endsAtMs - performance.now())), giveUp);
        work(client).then(resolve, reject);
      });
      // A cancellation ends the wait for a synchronous standby: then the server answers before the standby has the write.
      if (this.#isClosed && !this.#open.has(client)) throw closedError(this.#options.label);
      return answer;
    } catch (error) {
      if (!(error instanceof StoreError) && endsConnection(error)) this.#drop(client);
      throw toStoreError(error);
    } finally {
      if (timer !== undefined) this.#timers.end(timer);
      this.#ordinary.delete(client);
      this.#give(client);
    }
  }

  /** Connects the listener's client, unless a statement needs a connection: then it rejects. */
  async connectListener(client: Client, timeoutMs: number): Promise<void> {
    if (this.#isClosed) throw closedError(this.#options.label);
    if (this.#opening !== null) throw new Error('a connection for a statement is being opened');
    await this.#connectOne(client, timeoutMs, 'listener');
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#rejectWaiters(closedError(this.#options.label));
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

  /** As many rounds as there are connections are under way at once. */
  joined<Item extends { readonly name: string }, Answer>(
    run: RunRound<Item, Answer>,
  ): JoinedRounds<Item, Answer> {
    return new JoinedRounds(run, this.#options.most, (timeoutMs) => this.#inUse(timeoutMs));
  }

  /** The error of a call that has waited for a connection for its whole timeout. */
  #inUse(timeoutMs: number): StoreError {
    const { label, locks } = this.#options;
    const text = `${label}: every connection was in use for ${timeoutMs} ms: nothing was sent; see ${locks}`;
    return new StoreError('busy', text);
  }

  /** One connection more than `most` is for urgent statements. */
  #mayLend(isUrgent: boolean): boolean {
    return isUrgent || this.#ordinary.size < this.#options.most;
  }

  #lend(client: Client, isUrgent: boolean): Client {
    if (!isUrgent) this.#ordinary.add(client);
    return client;
  }

  #take(timeoutMs: number, isUrgent: boolean): Promise<Client> {
    if (this.#isClosed) return Promise.reject(closedError(this.#options.label));
    const idle = this.#mayLend(isUrgent) ? this.#idle.pop() : undefined;
    if (idle !== undefined) return Promise.resolve(this.#lend(idle, isUrgent));
    return new Promise((resolve, reject) => {
      const { label } = this.#options;
      const giveUp = setTimeout(() => {
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
        if (this.#open.size === 0 && this.#mayOpen(isUrgent)) {
          const text = `${label}: no connection within ${timeoutMs} ms: check host, port and firewall`;
          reject(new StoreError('unreachable', text));
        } else {
          reject(this.#inUse(timeoutMs));
        }
      }, timeoutMs);
      const more = setTimeout(() => void this.#openOne(timeoutMs, isUrgent), PATIENCE_MS);
      const settle = (): void => {
        clearTimeout(giveUp);
        clearTimeout(more);
      };
      const waiter: Waiter<Client> = {
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
    return this.#open.size < most && this.#open.size + this.#leaving.size < most + MAX_REPLACED;
  }

  async #openOne(timeoutMs: number, isUrgent: boolean): Promise<void> {
    const { make, toStoreError } = this.#options;
    if (this.#isClosed || this.#opening?.use === 'statement' || !this.#mayOpen(isUrgent)) return;
    if (this.#opening !== null) this.#options.destroy(this.#opening.client);
    let client: Client | undefined;
    try {
      const made = make();
      client = made;
      client.on('error', () => this.#drop(made));
      client.on('end', () => this.#drop(made));
      await this.#connectOne(client, timeoutMs, 'statement');
    } catch (error) {
      if (client !== undefined) this.#drop(client);
      // While another connection works, waiting statements wait for it. If there is none, they fail now.
      if (this.#open.size === 0) this.#rejectWaiters(toStoreError(error));
      return;
    }
    if (this.#isClosed) {
      this.#options.destroy(client);
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

  async #connectOne(client: Client, timeoutMs: number, use: 'statement' | 'listener'): Promise<void> {
    const opening = { client, use };
    this.#opening = opening;
    const timer = setTimeout(() => this.#options.destroy(client), timeoutMs).unref();
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

  #give(client: Client): void {
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

  #spare(client: Client): void {
    const place = this.#idle.indexOf(client);
    if (place === -1 || this.#idle.length === 1) return;
    this.#idle.splice(place, 1);
    void this.#end(client);
  }

  /** Cancels the statement of a connection, and destroys the connection when the server has ended the statement. */
  #leave(client: Client): Promise<void> {
    this.#open.delete(client);
    client.unref();
    return new Promise((resolve) => {
      const cancel = (): void => void this.#options.cancel(client).catch(() => undefined);
      const again = setInterval(cancel, CANCEL_AGAIN_MS).unref();
      const forget = setTimeout(() => gone(), FORGET_MS).unref();
      const gone = (): void => {
        clearInterval(again);
        clearTimeout(forget);
        this.#options.destroy(client);
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

  #drop(client: Client): void {
    this.#open.delete(client);
    const place = this.#idle.indexOf(client);
    if (place !== -1) this.#idle.splice(place, 1);
    this.#options.destroy(client);
  }

  async #end(client: Client): Promise<void> {
    this.#open.delete(client);
    client.ref();
    const timer = setTimeout(() => this.#options.destroy(client), GOODBYE_MS);
    await client.end().catch(() => undefined);
    clearTimeout(timer);
  }
}
