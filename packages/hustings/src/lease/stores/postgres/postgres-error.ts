/** Turns an error of PostgreSQL or of its client library into a `StoreError` with advice and without secrets. */
import { StoreError, type StoreErrorKind } from '../../core/store-error.ts';
import { scrub } from '../../store-url.ts';
import type { PostgresAddress } from './postgres-client.ts';

/** An error of the server has a SQLSTATE; an error of a socket has a code such as ECONNREFUSED. */
interface DriverError {
  readonly code?: string;
  readonly severity?: string;
  readonly message: string;
}

const IN_URL = 'check the user and the password in the URL';

const ERRORS: readonly (readonly [pattern: RegExp, kind: StoreErrorKind, advice: string])[] = [
  [/^28/, 'denied', `${IN_URL}, and pg_hba.conf on the server`],
  [
    /^42501/,
    'denied',
    'grant this role USAGE on the schema, and SELECT, INSERT, UPDATE and DELETE on its tables hustings_…, or use another role',
  ],
  [
    /^22(P05|021)/,
    'unusable',
    'the encoding of the database lacks a character of a name or an id; use ASCII names, or a database with UTF8',
  ],
  [/^3D000/, 'unprepared', 'create the database, or name another one in the URL'],
  [/^3F000/, 'unprepared', 'create the schema, or name another one'],
  [/^42(P01|703)/, 'unprepared', 'run `hustings store init` with a role that may create tables'],
  // A standby may be promoted, and an address may move to another server: a retry can help.
  [/^25006/, 'busy', 'this server or this role is read-only; name the primary in the URL'],
  [/^53300/, 'busy', 'raise max_connections, or use a pooler'],
  [/^53/, 'busy', 'give the server more memory or disk space'],
  [/^57P03/, 'busy', 'wait until the server has started'],
  [/^55P03/, 'busy', 'another session locks a row of the lease table; see pg_locks'],
  [/^(40|57014)/, 'busy', 'try again'],
  // The server was shut down or cut off: the statement may have been committed just before.
  [/^(57P|08)/, 'unreachable', 'wait until the server is back'],
  [
    /^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|CERT_|ERR_TLS|HOSTNAME_)/,
    'unreachable',
    'give the CA as sslrootcert=FILE in the URL; sslmode=no-verify encrypts without checking the certificate',
  ],
  [/^E/, 'unreachable', 'check host, port and firewall'],
];

const isDriverError = (error: unknown): error is DriverError =>
  error instanceof Error || (typeof error === 'object' && error !== null && 'message' in error);

/** A connection that gave this error may not be used again. */
export function endsConnection(error: unknown): boolean {
  const { code = '', severity } = error as DriverError;
  // The next connection may reach another server: the new primary.
  return severity !== 'ERROR' || code === '25006';
}

export function postgresError({ label, url, hasFreshLogins }: PostgresAddress, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const { code = '', message } = isDriverError(error) ? error : { message: String(error) };
  // The client library itself detects that the server wants a password and the URL has none.
  const lacksPassword = code === '' && /^SASL.*password must be/.test(message);
  const said = lacksPassword
    ? 'the server asks for a password, and the URL has none'
    : scrub(message.replace(/\s+/g, ' ').trim(), url, label) || code;
  const cause = Object.assign(new Error(said), { code });
  const state = code === '' && message.startsWith('SASL') ? '28P01' : code;
  const known = ERRORS.find(([pattern]) => pattern.test(state));
  if (known !== undefined) {
    const advice = hasFreshLogins
      ? known[2].replace(IN_URL, 'check what the function credentials returns')
      : known[2];
    return new StoreError(known[1], `${label}: ${said}; ${advice}`, cause);
  }
  // Any other SQLSTATE: the server refused the statement.
  if (/^[0-9A-Z]{5}$/.test(code)) {
    const advice = 'PostgreSQL must be version 12 or later; if it is, report this as a bug';
    return new StoreError('unusable', `${label}: ${said} (SQLSTATE ${code}); ${advice}`, cause);
  }
  return new StoreError('unreachable', `${label}: ${said}; check host, port and TLS`, cause);
}
