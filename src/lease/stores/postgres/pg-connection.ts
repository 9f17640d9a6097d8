/** A client of the library `pg`: one connection to one server. */
import type { Credentials } from '../../lease-store.ts';
import type { PostgresQuery, PostgresRow } from './postgres-client.ts';

/** The part of a client of `pg` that hustings uses. */
export interface PgConnection {
  readonly processID: number | null;
  /** With it, another connection may cancel the statement of this one. */
  readonly secretKey: number | null;
  readonly host: string;
  readonly port: number;
  readonly ssl: unknown;
  readonly sslNegotiation: string;
  readonly connection: {
    readonly stream: { destroy(): void };
    connect(portOrPath: number | string, host?: string): void;
    on(event: 'connect' | 'sslconnect' | 'error' | 'end', listener: () => void): unknown;
    requestSsl(): void;
    cancel(processID: number, secretKey: number): void;
  };
  connect(): Promise<unknown>;
  query(config: PostgresQuery): Promise<{ readonly rows: PostgresRow[] }>;
  end(): Promise<void>;
  on(event: string, listener: (value?: never) => void): unknown;
  ref(): void;
  unref(): void;
}

/** Makes connections that are not open yet: one function for each server. */
export type PgServers = readonly ((login: Credentials | null) => PgConnection)[];

/** Of every connection. Values stay texts. */
export const pgSettings = (timeoutMs: number) => ({
  connectionTimeoutMillis: timeoutMs,
  fallback_application_name: 'hustings',
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  types: { getTypeParser: () => (value: string) => value },
});
