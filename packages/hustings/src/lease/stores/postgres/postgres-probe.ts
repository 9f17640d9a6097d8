/** Examines a PostgreSQL server, for `doctor`. Changes nothing. */
import type { Probe } from '../../lease-store.ts';
import type { PostgresClient } from './postgres-client.ts';
import { layoutProblem, layoutStatement } from './postgres-preparation.ts';
import { grantStatements, type PostgresTables } from './postgres-tables.ts';

const LOOK = `SELECT current_setting('server_version') AS server_version,
  current_setting('server_version_num')::int >= 120000 AS is_new_enough,
  pg_is_in_recovery() AS is_standby,
  current_setting('transaction_read_only') AS read_only,
  current_setting('server_encoding') AS encoding,
  current_setting('fsync') AS fsync,
  current_setting('full_page_writes') AS full_page_writes,
  current_setting('synchronous_commit') AS synchronous_commit,
  current_setting('synchronous_standby_names') = '' AND EXISTS (SELECT FROM pg_stat_replication) AS is_async,
  current_setting('default_transaction_isolation') AS isolation,
  pg_backend_pid() AS pid,
  (SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()) AS is_encrypted,
  inet_client_addr() IS NULL OR inet_client_addr() <<= '127.0.0.0/8' OR inet_client_addr() = '::1' AS is_local,
  current_user::text AS role`;

const CLOCK = 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms';

/** to_regclass is null if the table is missing, or the role may not use its schema. */
const RIGHTS = `SELECT to_regclass($1) IS NULL AS is_missing,
  COALESCE(has_schema_privilege(to_regnamespace($3), 'CREATE'), false) AS may_make,
  COALESCE(has_table_privilege(to_regclass($4), 'SELECT'), false) AS may_read,
  bool_and(COALESCE(has_table_privilege(to_regclass(t), p), false)) AS may
FROM unnest($2::text[]) AS t, unnest('{SELECT,INSERT,UPDATE,DELETE}'::text[]) AS p`;

export async function probePostgres(client: PostgresClient, tables: PostgresTables): Promise<Probe> {
  const ask = async (text: string, values: readonly unknown[] = []) =>
    (await client.query({ text, values })).rows[0];
  const look = await ask(LOOK);
  const sentMs = performance.now();
  const sentWallMs = Date.now();
  const clock = await ask(CLOCK);
  const roundTripMs = performance.now() - sentMs;
  const { schema, lease, term, candidate, tick, layout } = tables;
  const rights = await ask(RIGHTS, [lease, [lease, term, candidate, tick, layout], schema, layout]);
  const found =
    rights.is_missing === 't' || rights.may_read !== 't' ? undefined : await ask(layoutStatement(tables));
  const layoutFault = found === undefined ? null : layoutProblem(found);

  const problems: string[] = [];
  const warnings: string[] = [];
  if (look.is_new_enough !== 't') problems.push('PostgreSQL is older than version 12: use a newer one.');
  if (look.is_standby === 't')
    problems.push('The server is a read-only standby: name the primary in the URL.');
  else if (look.read_only === 'on') {
    problems.push(`Transactions are read-only for ${look.role}: set default_transaction_read_only to off.`);
  }
  if (rights.is_missing === 't' && rights.may_make === 't') {
    warnings.push('The tables are missing: the first candidate creates them, or `hustings store init` does.');
  } else if (rights.is_missing === 't') {
    problems.push(
      `The tables are missing, and ${look.role} may not create them: run \`hustings store init\` with a role that may.`,
    );
  } else if (layoutFault !== null) {
    problems.push(`${layoutFault[0].toUpperCase()}${layoutFault.slice(1)}.`);
  } else if (rights.may !== 't') {
    problems.push(`Permissions are missing: ${grantStatements(tables, look.role!).join('; ')}`);
  }
  // SQL_ASCII stores the bytes as they are.
  if (look.encoding !== 'UTF8' && look.encoding !== 'SQL_ASCII') {
    warnings.push(
      `The encoding of the database is ${look.encoding}: names and ids with characters that it lacks are refused. A database with UTF8 has all.`,
    );
  }
  if (look.fsync === 'off') {
    warnings.push(
      'fsync is off: a crash of the machine can destroy the database, or forget the last grants.',
    );
  }
  if (look.full_page_writes === 'off') {
    warnings.push(
      'full_page_writes is off: a crash of the machine can destroy pages that were being written.',
    );
  }
  if (look.synchronous_commit === 'off' || look.synchronous_commit === 'local') {
    warnings.push(
      `synchronous_commit is ${look.synchronous_commit} for ${look.role}: leases are written with \`on\`; a failover can forget other writes of this role.`,
    );
  }
  if (look.is_async === 't') {
    warnings.push(
      'Replication is asynchronous: a failover can forget the last grants: then two candidates lead until the forgotten lease ends.',
    );
  }
  if (look.isolation !== 'read committed') {
    warnings.push(`The default isolation is ${look.isolation}: concurrent requests fail and are repeated.`);
  }
  if (client.processID !== null && look.pid !== `${client.processID}`) {
    warnings.push('The connection goes through a pooler: in transaction mode, notifications do not arrive.');
  }
  if (look.is_encrypted !== 't' && look.is_local !== 't') {
    warnings.push('The connection is not encrypted: add sslmode=verify-full to the URL.');
  }
  return {
    server: `PostgreSQL ${look.server_version}`,
    roundTripMs,
    clockOffsetMs: Number(clock.now_ms) - (sentWallMs + roundTripMs / 2),
    problems,
    warnings,
  };
}
