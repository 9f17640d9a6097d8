/**
 * The part of the client library `pg` that hustings uses. It is loaded when a store is opened.
 */
import { parseAddress } from '../../store-url.ts';
import { loadClient } from '../client-library.ts';

/** All values are text, whatever type parsers the program has set: a token must never become a double. */
export type PostgresRow = Readonly<Record<string, string | null>>;

export interface PostgresClient {
  /** The process id of the server's backend. */
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
  query(config: object): Promise<{ readonly rows: PostgresRow[] }>;
  end(): Promise<void>;
  /** `drain`: the last statement was answered. */
  on(event: 'error' | 'end' | 'drain', listener: (error?: unknown) => void): unknown;
  on(
    event: 'notification',
    listener: (notice: { readonly channel: string; readonly payload?: string }) => void,
  ): unknown;
  ref(): void;
  unref(): void;
}

export interface PostgresAddress {
  /** With its secrets, for `scrub`. */
  readonly url: string;
  readonly label: string;
  readonly schema: string;
  /** The role, if the URL names one. */
  readonly user: string | null;
  /** For the client library. */
  readonly connectionString: string;
}

const VERIFIED = ['prefer', 'require', 'verify-ca'];

/**
 * TLS by `sslmode`: `disable`, or no mode and no PGSSLMODE, means no TLS. `no-verify` encrypts without checking the
 * certificate. Every other mode checks the certificate and the host name, like `verify-full` of libpq.
 */
export function postgresAddress(url: string): PostgresAddress {
  const { label } = parseAddress(url, 'server');
  const [bare, search = ''] = url.split(/[?#]/);
  const query = new URLSearchParams(search);
  if (VERIFIED.includes(query.get('sslmode') ?? '') && query.get('uselibpqcompat') !== 'true') {
    query.set('sslmode', 'verify-full');
  }
  const schema = query.get('schema') ?? 'public';
  query.delete('schema');
  const { username } = new URL(url.replace('@/', '@localhost/'));
  return {
    url,
    label,
    schema,
    user: username === '' ? query.get('user') : decodeURIComponent(username),
    connectionString: query.size === 0 ? bare : `${bare}?${query}`,
  };
}

export type Connect = () => PostgresClient;

/** Loads the client library. The result creates a client that is not connected yet. */
export async function loadPostgres(address: PostgresAddress, connectTimeoutMs: number): Promise<Connect> {
  const driver = await loadClient(() => import('pg'), 'pg', 'postgres');
  const { Client } = driver.default ?? driver;
  const asText = { getTypeParser: () => (value: string) => value };
  return () =>
    new Client({
      connectionString: address.connectionString,
      connectionTimeoutMillis: connectTimeoutMs,
      fallback_application_name: 'hustings',
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      types: asText,
    }) as unknown as PostgresClient;
}
