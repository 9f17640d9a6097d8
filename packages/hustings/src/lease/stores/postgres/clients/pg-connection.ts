/** A client of the library `pg`: one connection to one server. */
import type { Credentials } from '../../../lease-store.ts';
import type { PostgresClient, PostgresServer } from '../postgres-client.ts';
import { type CancelConnection, cancelStatement } from './pg-cancel.ts';

/** A client of `pg` that is not connected yet. */
export type PgConnection = CancelConnection;

/** The server to which `create` makes connections. */
export function pgServer(create: (login: Credentials | null) => PgConnection): PostgresServer {
  return (login) => {
    const connection = create(login);
    return Object.assign(connection, {
      destroy: () => connection.connection.stream.destroy(),
      cancel: () => cancelStatement(create(login), connection),
    }) as unknown as PostgresClient;
  };
}

/** The settings of every connection. Values stay texts. */
export const pgSettings = (timeoutMs: number) => ({
  connectionTimeoutMillis: timeoutMs,
  fallback_application_name: 'hustings',
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  types: { getTypeParser: () => (value: string) => value },
});
