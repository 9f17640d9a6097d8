/**
 * The driver `pg`, as far as it is used here. It is loaded when a store is opened: whoever uses another store need not
 * have it.
 */
import { InputError } from '../../kernel/errors.ts';
import { StoreError } from '../store-error.ts';

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
  readonly label: string;
  readonly schema: string;
  /** The role, if the URL names one. */
  readonly user: string | null;
  /** What must not be shown: the password, as written and as meant. */
  readonly secrets: readonly string[];
  /** What the driver is given. */
  readonly connectionString: string;
}

const VERIFIED = ['prefer', 'require', 'verify-ca'];

/**
 * TLS by `sslmode`: `disable` or nothing is plain, unless PGSSLMODE says otherwise; `no-verify` encrypts without asking
 * who answers; every other one checks the certificate and the host's name, as libpq's `verify-full` does.
 */
export function postgresAddress(url: string): PostgresAddress {
  let parsed: URL;
  try {
    // A server on a local socket has no host: postgres://user@/database?host=/run/postgresql
    parsed = new URL(url.replace('@/', '@localhost/'));
  } catch {
    // Not the URL itself: a password may be what is wrong with it.
    throw new InputError(
      'expected a URL such as postgres://user:password@host:5432/database, got one that cannot be read: ' +
        'write special characters in the password as %XX',
    );
  }
  const query = parsed.searchParams;
  if (VERIFIED.includes(query.get('sslmode') ?? '') && query.get('uselibpqcompat') !== 'true') {
    query.set('sslmode', 'verify-full');
  }
  const schema = query.get('schema') ?? 'public';
  query.delete('schema');
  const passwords = [parsed.password, query.get('password') ?? ''];
  const host = query.get('host') ?? parsed.hostname;
  const port = parsed.port === '' ? '' : `:${parsed.port}`;
  const search = query.toString();
  const bare = url.replace(/[?#].*$/s, '');
  return {
    label: `postgres://${host}${port}${parsed.pathname}`,
    schema,
    user: parsed.username === '' ? query.get('user') : decode(parsed.username),
    secrets: passwords.flatMap((each) => [each, decode(each)]).filter((each) => each !== ''),
    connectionString: search === '' ? bare : `${bare}?${search}`,
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export type Connect = () => PostgresClient;

/** Loads the driver; the result makes a client that is not connected yet. */
export async function loadPostgres(address: PostgresAddress, connectTimeoutMs: number): Promise<Connect> {
  const { Client } = await importDriver();
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

async function importDriver(): Promise<{ Client: new (config: object) => unknown }> {
  try {
    const driver = await import('pg');
    return (driver.default ?? driver) as unknown as { Client: new (config: object) => unknown };
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new StoreError(
      'unusable',
      'a postgres:// store needs the package pg, which is not installed: npm install pg',
    );
  }
}
