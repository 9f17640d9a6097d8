/**
 * The configuration of an existing client of the library `postgres` (Postgres.js). The store opens its own connections with it;
 * see existing-pg.ts.
 */
import type { Credentials } from '../../../lease-store.ts';
import { clientError } from '../../client-library.ts';
import type { ExistingPostgres } from './existing-pg.ts';
import type { PostgresJsSource } from './postgres-existing.ts';
import { type PostgresJs, PostgresJsClient, type PostgresJsOptions, socketTo } from './postgres-js-client.ts';

export const isPostgresJs = (source: unknown): source is PostgresJsSource =>
  typeof source === 'function' && 'unsafe' in source && 'listen' in source && 'options' in source;

/** Values stay texts, and nothing of them is renamed. */
const OPTIONS = {
  max: 1,
  prepare: false,
  fetch_types: false,
  idle_timeout: null,
  max_lifetime: null,
  target_session_attrs: null,
  debug: false,
  parsers: {},
  serializers: {},
  types: {},
  transform: { undefined: undefined, column: {}, value: {}, row: {} },
  onnotice: () => undefined,
  onparameter: undefined,
};

export async function existingPostgresJs(
  source: PostgresJsSource,
  timeoutMs: number,
): Promise<ExistingPostgres> {
  const postgres = await loadPostgresJs();
  const options = source.options as PostgresJsOptions;
  const { host, port, path, user, pass, database } = options;
  const client = (index: number) => (login: Credentials | null) => {
    const create = (more: object) =>
      postgres({
        ...options,
        ...OPTIONS,
        ...(login === null ? {} : { pass: login.password, user: login.username ?? user }),
        connect_timeout: timeoutMs / 1_000,
        connection: { ...options.connection, application_name: 'hustings' },
        parameters: {},
        // Options that the library has parsed are recognized by this one.
        shared: { retries: 0, typeArrayMap: {} },
        ...more,
      } as object) as unknown as PostgresJs;
    const socketOf = () => options.socket?.(options) ?? socketTo(host[index], port[index], path);
    return new PostgresJsClient(create, socketOf);
  };
  const hosts = host.map((each, index) => `${each}:${port[index]}`).join(',');
  const secret = typeof pass === 'string' ? pass : '';
  const place = `${hosts}/${encodeURIComponent(database)}`;
  return {
    address: {
      url: `postgres://${encodeURIComponent(user)}:${encodeURIComponent(secret)}@${place}`,
      label: `postgres://${place}`,
      schema: 'public',
      user,
    },
    servers: host.map((_, index) => client(index)),
  };
}

async function loadPostgresJs() {
  try {
    return (await import('postgres')).default;
  } catch (error) {
    throw clientError(error, 'postgres', 'postgres');
  }
}
