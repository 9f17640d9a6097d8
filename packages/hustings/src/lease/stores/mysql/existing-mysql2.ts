/**
 * The configuration of an existing pool or connection of `mysql2`. The store opens its own connections with it. A shared one
 * would delay a renewal behind other statements, and a statement inside a transaction of the program would lock its row and
 * take effect at COMMIT alone.
 */
import { InputError } from '@hustings/base';
import type { MysqlAddress } from './mysql-client.ts';

/** A pool or a connection of `mysql2` or `mysql2/promise`. The type needs no client library. */
export interface Mysql2Source {
  /** Runs a statement. */
  query(...args: never[]): unknown;
  /** Runs a prepared statement. */
  execute(...args: never[]): unknown;
}

interface ConnectionConfig {
  readonly host?: string;
  readonly port?: number;
  readonly socketPath?: string;
  readonly user?: string;
  readonly password?: unknown;
  readonly database?: string;
}

interface Client {
  readonly config?: ConnectionConfig & { readonly connectionConfig?: ConnectionConfig };
}

/** What leads to the server and into it. The rest, such as time zones and types, is for the statements of the program. */
const KEPT = [
  ...([
    'host',
    'port',
    'localAddress',
    'socketPath',
    'stream',
    'ssl',
    'compress',
    'user',
    'database',
  ] as const),
  ...(['password', 'password2', 'password3', 'passwordSha1', 'insecureAuth'] as const),
  ...(['authPlugins', 'authSwitchHandler', 'enableCleartextPlugin'] as const),
];

export function existingMysql2(source: unknown): MysqlAddress {
  const config = configOf(source);
  if (config === null) {
    throw new InputError('a MySQL store needs a URL, or a pool or connection of mysql2');
  }
  const { host = 'localhost', port = 3306, user = '', password, database = '' } = config;
  if (database === '') throw new InputError('the client of mysql2 must name a database; create it with one');
  const given = Object.entries(config).filter(
    ([key, value]) => (KEPT as readonly string[]).includes(key) && value !== undefined,
  );
  const secret = typeof password === 'string' ? password : '';
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(secret)}@`;
  const place = `${host}:${port}/${encodeURIComponent(database)}`;
  return {
    ...{ url: `mysql://${login}${place}`, label: `mysql://${place}`, user, database },
    config: Object.fromEntries(given),
  };
}

/** The clients of `mysql2/promise` wrap those of `mysql2`. */
function configOf(source: unknown): ConnectionConfig | null {
  if (typeof source !== 'object' || source === null) return null;
  const { pool, connection } = source as { readonly pool?: Client; readonly connection?: Client };
  const { config } = pool ?? connection ?? (source as Client);
  const found = config?.connectionConfig ?? config;
  return typeof found === 'object' && 'user' in found ? found : null;
}
