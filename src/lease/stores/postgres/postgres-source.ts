/** From a URL or an existing client to connections and the address of the servers. */
import { InputError } from '../../../errors/hustings-error.ts';
import type { Credentials } from '../../lease-store.ts';
import { loadClient } from '../client-library.ts';
import { existingPg, isPg } from './existing-pg.ts';
import { PgClient } from './pg-client.ts';
import { type PgConnection, pgSettings } from './pg-connection.ts';
import { type Connect, type PostgresAddress, postgresAddress, withLogin } from './postgres-client.ts';
import type { PostgresSource } from './postgres-existing.ts';

export interface SourceOptions {
  readonly timeoutMs: number;
  readonly credentials: (() => Credentials | Promise<Credentials>) | undefined;
}

export interface OpenedSource {
  readonly address: PostgresAddress;
  /** A client that is not connected yet. */
  readonly connect: Connect;
}

export async function openSource(
  source: string | PostgresSource,
  options: SourceOptions,
): Promise<OpenedSource> {
  if (typeof source === 'string') return openUrl(source, options);
  if (isPg(source)) {
    const { address, create } = existingPg(source, options.timeoutMs);
    const { label } = address;
    return { address, connect: () => new PgClient({ ...options, label, servers: [create] }) };
  }
  throw new InputError('a PostgreSQL store needs a URL, or a Pool or Client of pg');
}

async function openUrl(url: string, options: SourceOptions): Promise<OpenedSource> {
  const address = postgresAddress(url);
  const driver = await loadClient(() => import('pg'), 'pg', 'postgres');
  const { Client } = driver.default ?? driver;
  const servers = address.connectionStrings.map((text) => (login: Credentials | null) => {
    const settings = { ...pgSettings(options.timeoutMs), connectionString: withLogin(text, login) };
    return new Client(settings) as unknown as PgConnection;
  });
  return { address, connect: () => new PgClient({ ...options, label: address.label, servers }) };
}
