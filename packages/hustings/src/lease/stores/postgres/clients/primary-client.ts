/** A connection that is opened with a fresh login, to the first server of a list that accepts writes. */
import { EventEmitter } from 'node:events';
import { StoreError } from '../../../core/store-error.ts';
import type { Credentials } from '../../../lease-store.ts';
import { freshLogin } from '../../fresh-login.ts';
import type { PostgresClient, PostgresQuery, PostgresRow, PostgresServer } from '../postgres-client.ts';

export interface PrimaryClientOptions {
  readonly label: string;
  readonly servers: readonly PostgresServer[];
  /** For all servers together. */
  readonly timeoutMs: number;
  readonly credentials: (() => Credentials | Promise<Credentials>) | undefined;
}

const EVENTS = ['error', 'end', 'drain', 'notification'] as const;

const IS_READ_ONLY = `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS is_read_only`;

export class PrimaryClient implements PostgresClient {
  readonly #options: PrimaryClientOptions;
  readonly #events = new EventEmitter();
  #connection: PostgresClient | null = null;
  #login: Credentials | null = null;
  #keepsProcess = true;
  #isDestroyed = false;

  constructor(options: PrimaryClientOptions) {
    this.#options = options;
    // Without a listener, an event of this name would end the process.
    this.#events.on('error', () => undefined);
  }

  get processID(): number | null {
    return this.#connection?.processID ?? null;
  }

  async connect(): Promise<void> {
    const { label, servers } = this.#options;
    this.#login = await this.#freshLogin();
    let failure: unknown;
    let readOnly = 0;
    for (const create of servers) {
      try {
        if (await this.#connectTo(create)) return;
        readOnly += 1;
      } catch (error) {
        failure ??= error;
      }
    }
    if (readOnly === 0 || this.#isDestroyed) throw failure ?? new Error('the connection was closed');
    throw new StoreError(
      'busy',
      `${label}: no server of the list accepts writes: ${readOnly} of ${servers.length} are read-only, and the others do not answer`,
    );
  }

  query(config: PostgresQuery): Promise<{ readonly rows: PostgresRow[] }> {
    if (this.#connection === null) return Promise.reject(new Error('the connection is not open'));
    return this.#connection.query(config);
  }

  on(event: string, listener: (value: never) => void): unknown {
    return this.#events.on(event, listener as () => void);
  }

  async end(): Promise<void> {
    await this.#connection?.end();
  }

  ref(): void {
    this.#keepsProcess = true;
    this.#connection?.ref();
  }

  unref(): void {
    this.#keepsProcess = false;
    this.#connection?.unref();
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#events.emit('destroy');
    this.#connection?.destroy();
  }

  async cancel(): Promise<void> {
    await this.#connection?.cancel();
  }

  /** Rejects if the connection is destroyed before the function answers. */
  #freshLogin(): Promise<Credentials | null> {
    const { credentials, label } = this.#options;
    if (credentials === undefined) return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      this.#events.once('destroy', () =>
        reject(new Error('the function credentials did not answer in time')),
      );
      freshLogin(label, credentials).then(resolve, reject);
    });
  }

  /** False: the server is read-only, and was left. The only server of a list is not asked: its own answers tell. */
  async #connectTo(create: PostgresServer): Promise<boolean> {
    if (this.#isDestroyed) throw new Error('the connection was closed');
    const { servers, timeoutMs } = this.#options;
    const connection = create(this.#login);
    this.#connection = connection;
    if (!this.#keepsProcess) connection.unref();
    // Otherwise a server that does not answer would take the time of the next ones.
    const late = setTimeout(() => connection.destroy(), timeoutMs / servers.length).unref();
    let isChosen = servers.length === 1;
    for (const event of EVENTS) {
      connection.on(event as 'end', (value) => {
        if (isChosen && this.#connection === connection) this.#events.emit(event, value);
      });
    }
    try {
      await connection.connect();
      if (!isChosen) {
        const { rows } = await connection.query({ text: IS_READ_ONLY });
        isChosen = rows[0].is_read_only === 'f';
      }
      if (!isChosen) connection.destroy();
      return isChosen;
    } catch (error) {
      connection.destroy();
      throw error;
    } finally {
      clearTimeout(late);
    }
  }
}
