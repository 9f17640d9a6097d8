/** From a URL or an existing client to connections and the address of the servers. */
import { InputError } from '@hustings/base';
import type { Credentials } from '../../../lease-store.ts';
import { clientError } from '../../client-library.ts';
import { type Connect, type PostgresAddress, postgresAddress, withLogin } from '../postgres-client.ts';
import { type ExistingPostgres, existingPg, isPg } from './existing-pg.ts';
import { existingPostgresJs, isPostgresJs } from './existing-postgres-js.ts';
import { type PgConnection, pgServer, pgSettings } from './pg-connection.ts';
import type { PostgresSource } from './postgres-existing.ts';
import { PrimaryClient } from './primary-client.ts';

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
  if (isPg(source)) return opened(existingPg(source, options.timeoutMs), options);
  if (isPostgresJs(source)) return opened(await existingPostgresJs(source, options.timeoutMs), options);
  throw new InputError('a PostgreSQL store needs a URL, a Pool or Client of pg, or the result of postgres()');
}

async function openUrl(url: string, options: SourceOptions): Promise<OpenedSource> {
  const address = postgresAddress(url);
  const { Client } = await loadPg();
  const servers = address.connectionStrings.map((text) =>
    pgServer((login) => {
      const settings = { ...pgSettings(options.timeoutMs), connectionString: withLogin(text, login) };
      return new Client(settings) as unknown as PgConnection;
    }),
  );
  return opened({ address, servers }, options);
}

function opened({ address, servers }: ExistingPostgres, options: SourceOptions): OpenedSource {
  const settings = { ...options, label: address.label, servers };
  return {
    address: { ...address, hasFreshLogins: options.credentials !== undefined },
    connect: () => new PrimaryClient(settings),
  };
}

async function loadPg() {
  try {
    const driver = await import('pg');
    return driver.default ?? driver;
  } catch (error) {
    throw clientError(error, 'pg', 'postgres');
  }
}
