/**
 * The driver `pg`, as far as it is used here. It is loaded when a store is opened: whoever uses another store need not
 * have it.
 */
import { parseAddress } from '../../store-url.ts';
import { loadClient } from '../client-library.ts';

/** All values come as text, whatever parsers the program has set for others: tokens must not pass through a double. */
export type PostgresRow = Readonly<Record<string, string | null>>;

export interface PostgresClient {
  /** Of the server's process, as it was told when the connection was made. */
  readonly processID: number | null;
  readonly connection: { readonly stream: { destroy(): void } };
  connect(): Promise<unknown>;
  query(config: object): Promise<{ readonly rows: PostgresRow[] }>;
  end(): Promise<void>;
  on(event: 'error' | 'end', listener: (error?: unknown) => void): unknown;
  on(event: 'notification', listener: (notice: { readonly payload?: string }) => void): unknown;
  ref(): void;
  unref(): void;
}

export interface PostgresAddress {
  /** As it was given, for `scrub`. */
  readonly url: string;
  readonly label: string;
  readonly schema: string;
  /** The role, if the URL names one. */
  readonly user: string | null;
  /** What the driver is given. */
  readonly connectionString: string;
}

const VERIFIED = ['prefer', 'require', 'verify-ca'];

/**
 * TLS by `sslmode`: `disable` or nothing is plain, unless PGSSLMODE says otherwise; `no-verify` encrypts without asking
 * who answers; every other one checks the certificate and the host's name, as libpq's `verify-full` does.
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

/** Loads the driver; the result makes a client that is not connected yet. */
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
