/** Turns an error of the server or of its client library into a `StoreError` with advice and without secrets. */
import { StoreError, type StoreErrorKind } from '../../core/store-error.ts';
import { scrub } from '../../store-url.ts';
import type { MysqlAddress } from './mysql-client.ts';

/** An error of the server has a number; an error of a socket or of the library has a code such as ECONNREFUSED alone. */
interface DriverError {
  readonly errno?: number;
  readonly code?: string;
  readonly fatal?: boolean;
  readonly message: string;
}

export const MISSING_TABLE = 1146;
const LOCKED = [1205, 3572];
export const DENIED = [1044, 1142, 1143, 1227, 1370];
/** The table changed while it was being created or read by several sessions. */
export const RACED = [1050, 1062, 1213, 1205, 1412];
export const DUPLICATE_COLUMN = 1060;

const SERVER_ERRORS: readonly (readonly [
  numbers: readonly number[],
  kind: StoreErrorKind,
  advice: string,
])[] = [
  [
    [1045, 1698, 1130, 1862, 3118],
    'denied',
    'check the user and the password in the URL, and the accounts of the server',
  ],
  [
    DENIED,
    'denied',
    'grant this account SELECT, INSERT, UPDATE and DELETE on the tables hustings_…, or use another account',
  ],
  [[1049], 'unprepared', 'create the database, or name another one in the URL'],
  [[MISSING_TABLE, 1054], 'unprepared', 'run `hustings store init` with an account that may create tables'],
  // A replica may be promoted, and an address may move to another server: a retry can help.
  [[1290, 1836, 1792], 'busy', 'the server is read-only; name the primary in the URL'],
  [[1040, 1203, 1226], 'busy', 'raise max_connections, or the limits of the account'],
  [[1021, 1037, 1041, 1114, 1135, 1206], 'busy', 'give the server more memory or disk space'],
  [LOCKED, 'busy', 'another session locks a row of the lease table; see information_schema.innodb_trx'],
  // The transaction was rolled back. A Galera cluster says so at COMMIT.
  [[1213, 1317, 1969, 3024, 1412, 1020], 'busy', 'try again'],
  [[1153, 1301], 'unusable', 'set max_allowed_packet to at least 16M'],
  [[1665], 'unusable', 'set binlog_format to ROW or MIXED'],
  [[1047], 'busy', 'this node of the cluster is not in its primary component; wait, or name another node'],
  // The server was shut down, or the connection was ended: the statement may have been committed just before.
  [[1053, 1152, 1159, 1161, 1184, 1158, 1160, 1927, 4031], 'unreachable', 'wait until the server is back'],
];

const CLIENT_ERRORS: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [/^PROTOCOL_CONNECTION_LOST/, 'wait until the server is back'],
  [
    /^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|CERT_|ERR_TLS|HOSTNAME_|HANDSHAKE_SSL)/,
    'give the CA as ca=FILE in the URL; tls=no-verify encrypts without checking the certificate',
  ],
  [/^HANDSHAKE_NO_SSL/, 'the server has no TLS; enable it there, or remove tls from the URL'],
  [/^E/, 'check host, port and firewall'],
];

export const errnoOf = (error: unknown): number => {
  const { errno, code = '' } = (error ?? {}) as DriverError;
  return typeof errno === 'number' && errno > 0 && !/^E[A-Z]+$/.test(code) ? errno : 0;
};

export const isLocked = (error: unknown): boolean => LOCKED.includes(errnoOf(error));

/** A connection that gave this error may not be used again. */
export function endsConnection(error: unknown): boolean {
  const errno = errnoOf(error);
  // The next connection may reach another server: the new primary.
  return errno === 0 || (error as DriverError).fatal === true || [1290, 1836, 1047, 1053].includes(errno);
}

export function mysqlError({ label, url }: MysqlAddress, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const { code = '', message } = error instanceof Error ? (error as DriverError) : { message: String(error) };
  const errno = errnoOf(error);
  const said = scrub((message ?? '').replace(/\s+/g, ' ').trim(), url, label) || code;
  const cause = Object.assign(new Error(said), { code, errno });
  const known = SERVER_ERRORS.find(([numbers]) => numbers.includes(errno));
  if (known !== undefined) return new StoreError(known[1], `${label}: ${said}; ${known[2]}`, cause);
  if (errno !== 0) {
    const advice = 'the server must be MySQL 8.0 or MariaDB 10.6, or later; if it is, report this as a bug';
    return new StoreError('unusable', `${label}: ${said} (error ${errno}); ${advice}`, cause);
  }
  const advice = CLIENT_ERRORS.find(([pattern]) => pattern.test(code))?.[1] ?? 'check host, port and TLS';
  return new StoreError('unreachable', `${label}: ${said}; ${advice}`, cause);
}
