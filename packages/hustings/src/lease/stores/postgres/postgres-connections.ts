/** Connections to PostgreSQL. A pooler may run each statement on another session of the server. */
import { ServerConnections } from '../server-connections.ts';
import type { Connect, PostgresAddress, PostgresClient } from './postgres-client.ts';
import { endsConnection, postgresError } from './postgres-error.ts';

export type PostgresConnections = ServerConnections<PostgresClient>;

export function postgresConnections(
  make: Connect,
  address: PostgresAddress,
  most: number,
): PostgresConnections {
  return new ServerConnections({
    label: address.label,
    most,
    locks: 'pg_locks',
    make,
    destroy: (client) => client.destroy(),
    cancel: (client) => client.cancel(),
    toStoreError: (error) => postgresError(address, error),
    endsConnection,
  });
}
