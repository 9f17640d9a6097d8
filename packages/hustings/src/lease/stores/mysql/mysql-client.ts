/** The address of a MySQL or MariaDB server, and the part of the client library `mysql2` that hustings uses. */
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { InputError } from '@hustings/base';
import { parseAddress, schemeOf } from '../../store-url.ts';
import { clientError } from '../client-library.ts';
import type { ServerConnection } from '../server-connections.ts';
import { checkQuery, decodedPart } from '../url-setting.ts';

/** All values are text: a token must never become a double. */
export type MysqlRow = Readonly<Record<string, string | null>>;

/** What one statement of a packet gave: rows, or the number of rows that it matched. */
export interface MysqlResult {
  readonly rows: readonly MysqlRow[];
  readonly matched: number;
  /** The last value of LAST_INSERT_ID(…) in the statement. */
  readonly insertId: number;
}

export interface MysqlAddress {
  /** With its secrets, for `scrub`. */
  readonly url: string;
  readonly label: string;
  readonly user: string;
  readonly database: string;
  /** For the client library. */
  readonly config: Readonly<Record<string, unknown>>;
}

const IN_URL = ['tls', 'ca', 'socket'];
const TLS_MODES = ['off', 'verify', 'no-verify'];

/**
 * `?tls=verify` encrypts, and checks the certificate and the host name; `ca=FILE` names the CA. `?tls=no-verify` encrypts
 * without a check. `?socket=PATH` uses a local socket.
 */
export function mysqlAddress(text: string): MysqlAddress {
  const { label } = parseAddress(text, 'server');
  const scheme = schemeOf(text) ?? '';
  const form = `write ${scheme}://user@host:3306/database`;
  if (!['mysql', 'mariadb'].includes(scheme)) {
    throw new InputError(
      `the URL of a MySQL store must begin with mysql: or mariadb:, not ${label}; write mysql://user@host/database`,
    );
  }
  const url = new URL(text.replace('@/', '@localhost/'));
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const database = decodedPart(url.pathname.replace(/^\//, ''));
  if (host === '') throw new InputError(`the URL of a MySQL store must have a host; ${form}`);
  if (database === '' || database.includes('/')) {
    throw new InputError(`the URL of a MySQL store must name one database; ${form}`);
  }
  checkQuery(url.searchParams, 'a MySQL', IN_URL);
  const query = (key: string): string | undefined => url.searchParams.get(key) ?? undefined;
  const socket = query('socket');
  const user = decodedPart(url.username);
  return {
    url: text,
    label,
    user,
    database,
    config: {
      ...(socket === undefined
        ? { host, port: url.port === '' ? 3306 : Number(url.port) }
        : { socketPath: socket }),
      user,
      password: decodedPart(url.password),
      database,
      ...tlsConfig(host, query('tls') ?? 'off', query('ca')),
    },
  };
}

function tlsConfig(host: string, mode: string, ca: string | undefined): { ssl?: object } {
  if (!TLS_MODES.includes(mode)) {
    throw new InputError(`tls in a MySQL URL must be ${TLS_MODES.join(', ')}, not ${JSON.stringify(mode)}`);
  }
  if (ca !== undefined && mode !== 'verify') {
    throw new InputError('ca in a MySQL URL needs tls=verify; add it');
  }
  if (mode === 'off') return {};
  if (mode === 'no-verify') return { ssl: { rejectUnauthorized: false } };
  // The client library compares the certificate with a name only.
  if (isIP(host) !== 0) {
    throw new InputError('tls=verify in a MySQL URL needs the name of the host, not its IP address');
  }
  return { ssl: { rejectUnauthorized: true, verifyIdentity: true, ...(ca && { ca: caFile(ca) }) } };
}

function caFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as { code?: string };
    throw new InputError(`the file of ca in the MySQL URL cannot be read (${code}); check its path`);
  }
}

export type MysqlConnect = () => MysqlClient;

/** The part of a connection of `mysql2` that is used here. */
interface Connection extends EventEmitter {
  readonly stream: { ref(): void; unref(): void; destroy(): void };
  query(sql: string, done: (error: Error | null, results: unknown) => void): void;
  end(done: () => void): void;
  destroy(): void;
}

interface Header {
  readonly affectedRows: number;
  readonly insertId: number;
}

/** Loads the client library. The result creates a client that is not connected yet. */
export async function loadMysql(address: MysqlAddress, connectTimeoutMs: number): Promise<MysqlConnect> {
  const { createConnection } = await loadDriver();
  const config = {
    ...address.config,
    connectTimeout: connectTimeoutMs,
    charset: 'utf8mb4',
    multipleStatements: true,
    enableKeepAlive: true,
    keepAliveInitialDelay: 10_000,
    connectAttributes: { program_name: 'hustings' },
    typeCast: (field: { string(encoding: string): string | null }) => field.string('utf8'),
  };
  return () => new MysqlClient(() => createConnection(config as object) as unknown as Connection);
}

/** One connection. `drain`: the last packet was answered. `end`: it is of no use any more. */
export class MysqlClient extends EventEmitter implements ServerConnection {
  readonly #make: () => Connection;
  #connection: Connection | null = null;
  /** Rejects what is pending: the library answers no statement of a connection that it destroyed. */
  #fail: (error: Error) => void = () => undefined;
  #isOver = false;

  constructor(make: () => Connection) {
    super();
    this.#make = make;
    // An error is also the rejection of the pending statement.
    this.on('error', () => undefined);
  }

  connect(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#isOver) {
        reject(closed());
        return;
      }
      this.#fail = reject;
      const connection = this.#make();
      this.#connection = connection;
      connection.stream.unref();
      connection.on('connect', () => resolve());
      connection.on('end', () => this.destroy());
      connection.on('error', (error) => {
        this.#fail(error);
        this.emit('error', error);
      });
    });
  }

  /** One packet: the statements, separated by semicolons, are sent together. One result for each. */
  query(statements: readonly string[]): Promise<readonly MysqlResult[]> {
    return new Promise((resolve, reject) => {
      if (this.#isOver) {
        reject(closed());
        return;
      }
      this.#fail = reject;
      this.#connection!.query(statements.join(';\n'), (error, results) => {
        this.emit('drain');
        if (error) reject(error);
        else resolve((statements.length === 1 ? [results] : (results as unknown[])).map(resultOf));
      });
    });
  }

  end(): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    return new Promise((resolve) => {
      this.once('end', () => resolve());
      this.#connection!.end(() => this.destroy());
    });
  }

  /** Closes the socket at once. */
  destroy(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#connection?.destroy();
    this.#connection?.stream.destroy();
    this.#fail(closed());
    this.emit('end');
  }

  ref(): void {
    this.#connection!.stream.ref();
  }

  unref(): void {
    this.#connection!.stream.unref();
  }
}

const closed = (): Error =>
  Object.assign(new Error('the connection was closed'), { code: 'PROTOCOL_CONNECTION_LOST' });

function resultOf(result: unknown): MysqlResult {
  if (Array.isArray(result)) return { rows: result, matched: result.length, insertId: 0 };
  const { affectedRows, insertId } = result as Header;
  return { rows: [], matched: affectedRows, insertId };
}

async function loadDriver() {
  try {
    const driver = await import('mysql2');
    return driver.default ?? driver;
  } catch (error) {
    throw clientError(error, 'mysql2', 'mysql');
  }
}
