/**
 * The configuration of an existing `Pool` or `Client` of `pg`. The store opens its own connections with it. A shared one would
 * delay a renewal behind other statements, and a statement inside a transaction of the program would lock its row and take
 * effect at COMMIT alone.
 */
import type { Credentials } from '../../../lease-store.ts';
import { type PostgresAddress, type PostgresServer, postgresAddress, withLogin } from '../postgres-client.ts';
import { type PgConnection, pgServer, pgSettings } from './pg-connection.ts';
import type { PgClientSource, PgPoolSource } from './postgres-existing.ts';

type PgClass = new (config: object) => PgConnection;

interface PgConfig {
  readonly connectionString?: string;
  readonly user?: string;
  readonly password?: unknown;
  readonly host?: string;
  readonly port?: number;
  readonly database?: string;
}

export interface ExistingPostgres {
  readonly address: PostgresAddress;
  readonly servers: readonly PostgresServer[];
}

export const isPg = (source: object | null): source is PgPoolSource | PgClientSource =>
  typeof source === 'object' &&
  source !== null &&
  ('totalCount' in source || 'connectionParameters' in source);

export function existingPg(source: PgPoolSource | PgClientSource, timeoutMs: number): ExistingPostgres {
  const { Client, config } = configOf(source);
  const create = (login: Credentials | null): PgConnection => {
    const { connectionString } = config;
    const fresh = login === null ? {} : { password: login.password, ...userOf(login) };
    return new Client({
      ...config,
      ...fresh,
      ...pgSettings(timeoutMs),
      ...(connectionString === undefined ? {} : { connectionString: withLogin(connectionString, login) }),
    });
  };
  return { address: addressOf(config, create(null)), servers: [pgServer(create)] };
}

const userOf = ({ username }: Credentials) => (username === undefined ? {} : { user: username });

/** Passwords are properties that are not enumerated. */
function configOf(source: PgPoolSource | PgClientSource): { Client: PgClass; config: PgConfig } {
  if ('totalCount' in source) {
    const { options, Client } = source as PgPoolSource & { options: PgConfig; Client: PgClass };
    return { Client, config: { ...options, password: options.password } };
  }
  const { connectionParameters, ssl, password } = source as PgClientSource & {
    readonly connectionParameters: PgConfig & { readonly options?: string };
    readonly ssl: unknown;
    readonly password: unknown;
  };
  const { user, host, port, database, options } = connectionParameters;
  const config = { user, host, port, database, ssl, password, ...(options ? { options } : {}) } as PgConfig;
  return { Client: source.constructor as PgClass, config };
}

function addressOf(config: PgConfig, sample: PgConnection & PgConfig): PostgresAddress {
  sample.connection.stream.destroy();
  const { host, port, database = '', user = null } = sample;
  const place = host.startsWith('/') ? `localhost:${port}` : `${host}:${port}`;
  const secret = typeof sample.password === 'string' ? sample.password : '';
  const login = `${encodeURIComponent(user ?? '')}:${encodeURIComponent(secret)}@`;
  const path = `/${encodeURIComponent(database)}`;
  const schema =
    config.connectionString === undefined ? 'public' : postgresAddress(config.connectionString).schema;
  return { url: `postgres://${login}${place}${path}`, label: `postgres://${place}${path}`, schema, user };
}
