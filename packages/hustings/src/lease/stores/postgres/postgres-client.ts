/**
 * What the store needs of a client library for PostgreSQL, and the address of its servers.
 */
import type { Credentials } from '../../lease-store.ts';
import { parseAddress, urlOfHost } from '../../store-url.ts';
import type { ServerConnection } from '../server-connections.ts';

/** All values are text, whatever type parsers the program has set: a token must never become a double. */
export type PostgresRow = Readonly<Record<string, string | null>>;

/** One connection. It is opened once. */
export interface PostgresClient extends ServerConnection {
  /** The process id of the server's backend; null if the client library does not tell it. */
  readonly processID: number | null;
  query(config: PostgresQuery): Promise<{ readonly rows: PostgresRow[] }>;
  on(event: 'error' | 'end' | 'drain', listener: (error?: unknown) => void): unknown;
  on(
    event: 'notification',
    listener: (notice: { readonly channel: string; readonly payload?: string }) => void,
  ): unknown;
  /** Closes its socket at once. */
  destroy(): void;
  /** Asks the server to end the statement of this client. */
  cancel(): Promise<void>;
}

export interface PostgresQuery {
  readonly text: string;
  readonly values?: readonly unknown[];
}

export interface PostgresAddress {
  /** With its secrets, for `scrub`. */
  readonly url: string;
  readonly label: string;
  readonly schema: string;
  /** The role, if it is known. */
  readonly user: string | null;
  /** The logins come from the function `credentials`. */
  readonly hasFreshLogins?: boolean;
}

/** An address that a URL names. */
export interface PostgresUrl extends PostgresAddress {
  /** For the client library: one for each server. */
  readonly connectionStrings: readonly string[];
}

const VERIFIED = ['prefer', 'require', 'verify-ca'];

/**
 * TLS by `sslmode`: `disable`, or no mode and no PGSSLMODE, means no TLS. `no-verify` encrypts without checking the
 * certificate. Every other mode checks the certificate and the host name, like `verify-full` of libpq.
 */
export function postgresAddress(url: string): PostgresUrl {
  const { label, hosts } = parseAddress(url, 'servers');
  const [bare, search = ''] = url.split(/[?#]/);
  const query = new URLSearchParams(search);
  if (VERIFIED.includes(query.get('sslmode') ?? '') && query.get('uselibpqcompat') !== 'true') {
    query.set('sslmode', 'verify-full');
  }
  const schema = query.get('schema') ?? 'public';
  query.delete('schema');
  const { username } = urlOfHost(url);
  const end = query.size === 0 ? '' : `?${query}`;
  return {
    url,
    label,
    schema,
    user: username === '' ? query.get('user') : decodeURIComponent(username),
    connectionStrings:
      hosts.length === 1 ? [`${bare}${end}`] : hosts.map((host) => `${urlOfHost(bare, host).href}${end}`),
  };
}

/** The connection string with another login. */
export function withLogin(text: string, login: Credentials | null): string {
  if (login === null) return text;
  const [bare, search] = text.split('?');
  const query = new URLSearchParams(search);
  const [, scheme, user = ''] = /^([^/]*\/\/)(?:([^:@/]*)(?::[^@/]*)?@)?/.exec(bare) ?? [];
  const role =
    login.username === undefined ? user || (query.get('user') ?? '') : encodeURIComponent(login.username);
  for (const word of ['user', 'password']) query.delete(word);
  const rest = bare.slice(scheme.length).replace(/^[^@/]*@/, '');
  const end = query.size === 0 ? '' : `?${query}`;
  return `${scheme}${role}:${encodeURIComponent(login.password)}@${rest}${end}`;
}

export type Connect = () => PostgresClient;

/** One server: makes connections to it that are not open yet. Null: the login of the configuration. */
export type PostgresServer = (login: Credentials | null) => PostgresClient;
