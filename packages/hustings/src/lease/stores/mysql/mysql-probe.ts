/** Examines a MySQL or MariaDB server, for `doctor`. Changes nothing. */
import type { Probe } from '../../lease-store.ts';
import { isReadOnly } from './mysql-calls.ts';
import type { MysqlAddress, MysqlClient, MysqlRow } from './mysql-client.ts';
import { DENIED, errnoOf, MISSING_TABLE } from './mysql-error.ts';
import {
  isSysdateNow,
  layoutProblem,
  READ_LAYOUT,
  SYSDATE_ADVICE,
  SYSDATE_IS_NOW,
} from './mysql-preparation.ts';
import { NOW_MS } from './mysql-sql.ts';
import { grantStatements, TABLES } from './mysql-tables.ts';

const LOOK = 'SELECT VERSION() AS version, CURRENT_USER() AS account';

/** Those that a server does not have are missing from the answer. */
const VARIABLES = `SHOW GLOBAL VARIABLES WHERE Variable_name IN ('read_only', 'innodb_flush_log_at_trx_commit', 'sync_binlog',
  'log_bin', 'binlog_format', 'wsrep_on', 'group_replication_group_name', 'group_replication_single_primary_mode',
  'rpl_semi_sync_master_enabled', 'rpl_semi_sync_source_enabled', 'innodb_flush_method', 'innodb_doublewrite')`;
const IS_ENCRYPTED = "SHOW SESSION STATUS LIKE 'Ssl_cipher'";
const DUMPS = `SELECT COUNT(*) AS dumps FROM information_schema.processlist WHERE command LIKE 'Binlog Dump%'`;
const REPLICA = 'SHOW REPLICA STATUS';

/** Statements that need each permission and match no row. */
const trials = (table: string): readonly string[] => [
  `SELECT COUNT(*) FROM ${table} WHERE 1 = 0`,
  `INSERT INTO ${table} SELECT * FROM ${table} WHERE 1 = 0`,
  `UPDATE ${table} SET ${table === 'hustings_layout' ? 'version = version' : 'name = name'} WHERE 1 = 0`,
  `DELETE FROM ${table} WHERE 1 = 0`,
];

export async function probeMysql(client: MysqlClient, { database, config }: MysqlAddress): Promise<Probe> {
  const ask = async (statement: string): Promise<readonly MysqlRow[]> =>
    (await client.query([statement]))[0].rows;
  /** Without the permission to ask, nothing is known. */
  const askIfAllowed = (statement: string): Promise<readonly MysqlRow[]> => ask(statement).catch(() => []);
  const [{ version, account }] = await ask(LOOK);
  const [sysdate] = await ask(SYSDATE_IS_NOW);
  const values = new Map(
    (await ask(VARIABLES)).map(({ Variable_name: name, Value: value }) => [name, value ?? '']),
  );
  const isOn = (name: string): boolean => ['1', 'ON'].includes((values.get(name) ?? '').toUpperCase());
  const sentMs = performance.now();
  const sentWallMs = Date.now();
  const [{ now_ms }] = await ask(`SELECT ${NOW_MS} AS now_ms`);
  const roundTripMs = performance.now() - sentMs;
  const replica = await askIfAllowed(REPLICA);
  const [{ dumps } = { dumps: '0' }] = await askIfAllowed(DUMPS);
  const [cipher] = await ask(IS_ENCRYPTED);

  const problems: string[] = [];
  const warnings: string[] = [];
  if (!isNewEnough(version!)) {
    problems.push(`The server is version ${version}: use MySQL 8.0 or MariaDB 10.6, or later.`);
  }
  if (isSysdateNow(sysdate)) problems.push(`${SYSDATE_ADVICE}.`);
  if (isReadOnly(values.get('read_only') ?? '0')) {
    problems.push('The server is read-only, as a replica is: name the primary in the URL.');
  } else {
    if (replica.length > 0) {
      warnings.push('The server is a replica that can be written: name its primary in the URL.');
    }
    const tables = await tableProblem(client, database, account!);
    if (tables !== null) (tables.isWarning ? warnings : problems).push(tables.text);
  }
  if (isOn('log_bin') && values.get('binlog_format')?.toUpperCase() === 'STATEMENT') {
    problems.push('binlog_format is STATEMENT: set it to ROW or MIXED.');
  }
  const flush = values.get('innodb_flush_log_at_trx_commit');
  if (flush !== undefined && flush !== '1') {
    const what = flush === '0' ? 'the server or its machine' : 'the machine';
    warnings.push(
      `innodb_flush_log_at_trx_commit is ${flush}: a crash of ${what} can forget the last grants: then two candidates lead until the forgotten lease ends.`,
    );
  }
  if (
    values.has('innodb_doublewrite') &&
    !isOn('innodb_doublewrite') &&
    !/^DETECT/i.test(values.get('innodb_doublewrite')!)
  ) {
    warnings.push(
      'innodb_doublewrite is off: a crash of the machine can destroy pages that were being written.',
    );
  }
  if (isOn('log_bin') && values.get('sync_binlog') !== '1' && Number(dumps) > 0) {
    warnings.push(
      `sync_binlog is ${values.get('sync_binlog')}: after a crash of the machine, replicas can lack the last grants.`,
    );
  }
  if (Number(dumps) > 0) {
    const isSemiSync = isOn('rpl_semi_sync_master_enabled') || isOn('rpl_semi_sync_source_enabled');
    warnings.push(
      isSemiSync
        ? 'Replication is semi-synchronous: after its timeout it is asynchronous, and a failover can forget the last grants.'
        : 'Replication is asynchronous: a failover can forget the last grants: then two candidates lead until the forgotten lease ends.',
    );
  }
  if (isOn('wsrep_on')) {
    warnings.push(
      'The server is a node of a Galera cluster: every node judges leases by its own clock, and may answer with old data: connect all candidates to one node.',
    );
  }
  const group = values.get('group_replication_group_name') ?? '';
  if (group !== '' && !isOn('group_replication_single_primary_mode')) {
    warnings.push(
      'The server is in a multi-primary group: every member judges leases by its own clock: connect all candidates to one member.',
    );
  }
  const isLocal = 'socketPath' in config || ['localhost', '127.0.0.1', '::1'].includes(String(config.host));
  if (!isLocal && (cipher?.Value ?? '') === '') {
    warnings.push('The connection is not encrypted: add tls=verify to the URL.');
  }
  return {
    server: /mariadb/i.test(version!) ? `MariaDB ${version!.split('-')[0]}` : `MySQL ${version}`,
    roundTripMs,
    clockOffsetMs: Number(now_ms) - (sentWallMs + roundTripMs / 2),
    problems,
    warnings,
  };
}

function isNewEnough(version: string): boolean {
  const [major, minor] = version.split('.').map(Number);
  return /mariadb/i.test(version) ? major > 10 || (major === 10 && minor >= 6) : major >= 8;
}

async function tableProblem(
  client: MysqlClient,
  database: string,
  account: string,
): Promise<{ readonly isWarning: boolean; readonly text: string } | null> {
  try {
    const [{ rows }] = await client.query([READ_LAYOUT]);
    const fault = rows.length === 0 ? null : layoutProblem(rows[0]);
    if (fault !== null) return { isWarning: false, text: `${fault[0].toUpperCase()}${fault.slice(1)}.` };
    for (const table of TABLES) await client.query(trials(table));
    return null;
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === MISSING_TABLE) {
      const text = 'The tables are missing: the first candidate creates them, or `hustings store init` does.';
      return { isWarning: true, text };
    }
    if (!DENIED.includes(errno)) throw error;
    const quoted = account
      .split(/@(?=[^@]*$)/)
      .map((part) => `'${part}'`)
      .join('@');
    const grants = grantStatements(database, quoted).join('; ');
    return {
      isWarning: false,
      text: `Permissions are missing: create the tables with \`hustings store init\` and an account that may, then run ${grants}`,
    };
  }
}
