/**
 * The settings of a Redis store, from its URL and its options: `redis://user:password@host:port/database?prefix=jobs:`, or
 * `rediss:` for TLS. An option overrides the same setting in the URL. No message quotes a part that may contain a password.
 */
import type { ConnectionOptions } from 'node:tls';
import { InputError } from '../../../errors/hustings-error.ts';
import { DEFAULT_KEEP_TERMS, type StoreOptions } from '../../lease-store.ts';
import { parseAddress, schemeOf } from '../../store-url.ts';

/** The options of `RedisLeaseStore.open`. */
export interface RedisStoreOptions extends StoreOptions {
  /** The prefix of all keys and channels, 'hustings:' by default; also `?prefix=` in the URL. */
  readonly prefix?: string;
  /** The timeout of a call, 2,000 by default; also in the URL. Renewals with a short TTL have a shorter one. */
  readonly timeoutMs?: number;
  /** How many replicas must confirm a write, 0 by default; also in the URL. */
  readonly waitReplicas?: number;
  /**
   * False: a server that is new, or has just restarted, grants leases at once, although it may have forgotten their holders;
   * also in the URL. For tests.
   */
  readonly waitAfterRestart?: boolean;
  /** For rediss: the CA of the server, or a client certificate. */
  readonly tls?: ConnectionOptions;
}

export interface RedisSettings {
  readonly url: string;
  readonly label: string;
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly db: number;
  readonly tls: ConnectionOptions | undefined;
  readonly prefix: string;
  readonly timeoutMs: number;
  readonly waitReplicas: number;
  readonly waitAfterRestart: boolean;
  readonly keepTerms: number;
}

/** The address and the login, as the client library takes them. */
export function clientOptions({ host, port, db, username, password, tls }: RedisSettings) {
  return {
    host,
    port,
    db,
    ...(username === '' ? {} : { username }),
    ...(password === '' ? {} : { password }),
    ...(tls === undefined ? {} : { tls }),
    disableClientInfo: true,
  };
}

const DEFAULTS = { port: 6379, prefix: 'hustings:', timeoutMs: 2_000, waitReplicas: 0 };
const IN_URL = ['prefix', 'timeoutMs', 'waitReplicas', 'waitAfterRestart'];

export function redisSettings(text: string, options: RedisStoreOptions = {}): RedisSettings {
  const form = 'write redis://user:password@host:6379/0';
  const { label } = parseAddress(text, 'server');
  if (!['redis', 'rediss'].includes(schemeOf(text) ?? ''))
    throw new InputError(`the URL of a Redis store must begin with redis: or rediss:, not ${label}`);
  const url = new URL(text);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (host === '') throw new InputError(`the URL of a Redis store must have a host; ${form}`);
  const database = url.pathname.replace(/^\//, '');
  if (!/^\d{0,6}$/.test(database)) {
    throw new InputError(`the path of a Redis URL must be the number of a database; ${form}`);
  }
  for (const key of url.searchParams.keys()) {
    if (IN_URL.includes(key)) continue;
    throw new InputError(
      `the query of a Redis URL can only have ${IN_URL.join(', ')}; remove the other setting`,
    );
  }
  const query = (word: string): string | undefined => url.searchParams.get(word) ?? undefined;
  const prefix = options.prefix ?? query('prefix') ?? DEFAULTS.prefix;
  if (prefix === '' || /[{}]/.test(prefix)) {
    throw new InputError(
      `prefix must be a text without braces, not ${JSON.stringify(prefix)}; use for example jobs:`,
    );
  }
  return {
    url: text,
    label,
    host,
    port: url.port === '' ? DEFAULTS.port : Number(url.port),
    username: decode(url.username),
    password: decode(url.password),
    db: Number(database),
    tls: url.protocol === 'rediss:' ? (options.tls ?? {}) : undefined,
    prefix,
    timeoutMs: whole('timeoutMs', options.timeoutMs ?? query('timeoutMs') ?? DEFAULTS.timeoutMs, 1),
    waitReplicas: whole(
      'waitReplicas',
      options.waitReplicas ?? query('waitReplicas') ?? DEFAULTS.waitReplicas,
      0,
    ),
    waitAfterRestart:
      options.waitAfterRestart ?? flag('waitAfterRestart', query('waitAfterRestart') ?? 'true'),
    keepTerms: options.keepTerms ?? DEFAULT_KEEP_TERMS,
  };
}

function whole(word: string, value: string | number, least: number): number {
  const number = typeof value === 'string' && !/^\d+$/.test(value) ? Number.NaN : Number(value);
  if (Number.isSafeInteger(number) && number >= least) return number;
  throw new InputError(`${word} must be a whole number from ${least}, not ${value}`);
}

function flag(word: string, text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new InputError(`${word} must be true or false, not ${text}`);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new InputError('the user or password of the Redis URL has a bare %; write it as %25');
  }
}
