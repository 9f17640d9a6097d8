/** Where a URL of Redis leads: `redis://user:password@host:port/database`, or `rediss:` for TLS. */
import type { ConnectionOptions } from 'node:tls';
import { InputError } from '../../kernel/errors.ts';
import type { RedisTarget } from './redis-connection.ts';

const DEFAULT_PORT = 6379;

/** Messages quote no part of the URL that could hold a password. */
export function redisTarget(text: string, tls: ConnectionOptions = {}): RedisTarget {
  const expected = 'expected a URL as redis://user:password@host:6379/0';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['redis:', 'rediss:'].includes(url.protocol)) {
    throw new InputError(`${expected}, or rediss: for TLS: encode what is special in the password, / as %2F`);
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (host === '') throw new InputError(`${expected}, got one without a host: name the server`);
  const path = url.pathname.replace(/^\//, '');
  if (!/^\d{0,6}$/.test(path)) {
    throw new InputError(`${expected}, got a path that is no number of a database: write /0, or nothing`);
  }
  if (url.search !== '') {
    throw new InputError(`${expected}, got a query after "?", which means nothing here: leave it out`);
  }
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port);
  const db = Number(path);
  return {
    label: `${url.protocol}//${url.hostname}:${port}${db === 0 ? '' : `/${db}`}`,
    host,
    port,
    username: decode(url.username, expected),
    password: decode(url.password, expected),
    db,
    tls: url.protocol === 'rediss:' ? tls : undefined,
  };
}

function decode(text: string, expected: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new InputError(`${expected}, got a user or password with a bare %: write it as %25`);
  }
}
