/**
 * One connection of the library `postgres` (Postgres.js), in the shape that the store needs. The library opens a lost
 * connection again; this one stays closed, so that no statement reaches another server unnoticed.
 */
import { EventEmitter } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { PostgresClient, PostgresQuery, PostgresRow } from '../postgres-client.ts';

/** The part of Postgres.js that hustings uses. */
export interface PostgresJs {
  unsafe(text: string, values?: readonly (string | null)[]): PostgresJsQuery;
  end(options?: { readonly timeout: number }): Promise<void>;
}

type PostgresJsResult = PostgresRow[] & { readonly state?: { readonly pid: number } };

interface PostgresJsQuery extends Promise<PostgresJsResult> {
  cancel(): void;
}

/** The options of Postgres.js that hustings reads. */
export interface PostgresJsOptions {
  readonly host: readonly string[];
  readonly port: readonly number[];
  /** False if there is none. */
  readonly path: string | false;
  readonly user: string;
  readonly pass: unknown;
  readonly database: string;
  readonly connection?: object;
  readonly socket?: (options: object) => Socket | Promise<Socket>;
}

export class PostgresJsClient extends EventEmitter implements PostgresClient {
  readonly #create: (more: object) => PostgresJs;
  readonly #socketOf: () => Socket | Promise<Socket>;
  #sql: PostgresJs | null = null;
  #socket: Socket | null = null;
  #pending: PostgresJsQuery | null = null;
  #keepsProcess = true;
  #isClosed = false;
  processID: number | null = null;

  /** `create` adds the options of the configuration that are not given to it. */
  constructor(create: (more: object) => PostgresJs, socketOf: () => Socket | Promise<Socket>) {
    super();
    this.#create = create;
    this.#socketOf = socketOf;
  }

  async connect(): Promise<void> {
    this.#sql = this.#create({
      socket: () => this.#open(),
      onclose: () => this.#close(),
      onnotify: (channel: string, payload: string) => this.emit('notification', { channel, payload }),
    });
    const { state } = await this.#run('SELECT 1');
    this.processID = state?.pid ?? null;
  }

  async query({ text, values }: PostgresQuery): Promise<{ rows: PostgresRow[] }> {
    return { rows: [...(await this.#run(text, values?.map(textOf)))] };
  }

  ref(): void {
    this.#keepsProcess = true;
    this.#socket?.ref();
  }

  unref(): void {
    this.#keepsProcess = false;
    this.#socket?.unref();
  }

  async end(): Promise<void> {
    await this.#sql?.end({ timeout: 1 });
  }

  destroy(): void {
    this.#socket?.destroy();
    this.#close();
    void this.#sql?.end({ timeout: 0 }).catch(() => undefined);
  }

  async cancel(): Promise<void> {
    this.#pending?.cancel();
  }

  async #run(text: string, values?: readonly (string | null)[]): Promise<PostgresJsResult> {
    if (this.#sql === null || this.#isClosed) throw new Error('the connection is closed');
    const query = this.#sql.unsafe(text, values);
    this.#pending = query;
    try {
      return await query;
    } finally {
      this.#pending = null;
      this.emit('drain');
    }
  }

  /**
   * The library asks for another socket to cancel a statement, and to connect again if the first was lost before the server
   * was ready. A closed connection gets none.
   */
  async #open(): Promise<Socket> {
    const closed = new Error('the connection was closed');
    if (this.#isClosed) throw closed;
    const socket = await this.#socketOf();
    if (this.#isClosed) {
      socket.destroy();
      throw closed;
    }
    if (this.#socket?.destroyed === false) return socket;
    this.#socket = socket;
    if (!this.#keepsProcess) socket.unref();
    return socket;
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.emit('end');
  }
}

/** A socket to one server. The library reads the host from it, for TLS. */
export function socketTo(host: string, port: number, path: string | false): Socket {
  return Object.assign(path === false ? connect(port, host) : connect(path), { host, port });
}

/** A parameter as the text that PostgreSQL parses. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (!Array.isArray(value)) return String(value);
  const items = value.map((item) => {
    const text = textOf(item);
    return text === null ? 'NULL' : `"${text.replaceAll(/[\\"]/g, '\\$&')}"`;
  });
  return `{${items.join(',')}}`;
}
