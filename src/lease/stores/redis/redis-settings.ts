/**
 * What a URL and the options say of a Redis store: `redis://user:password@host:port/database?prefix=jobs:`, or `rediss:`
 * for TLS. An option goes before the same word in the URL. No message quotes a part that could hold a password.
 */
import type { ConnectionOptions } from 'node:tls';
import { InputError } from '../../../errors/hustings-error.ts';
import { DEFAULT_KEEP_TERMS, type StoreOptions } from '../../lease-store.ts';
import { parseAddress, schemeOf } from '../../store-url.ts';

export interface RedisStoreOptions extends StoreOptions {
  /** What every key and channel begins with, 'hustings:' unless told; also `?prefix=` in the URL. */
  readonly prefix?: string;
  /** The longest that a call takes, by an answer or an error, 2,000 unless told; also in the URL. Renewals of a short ttl have less. */
  readonly timeoutMs?: number;
  /** How many replicas must have a change before it counts, 0 unless told; also in the URL. */
  readonly waitReplicas?: number;
  /** False: grants at once what a server that has just started may have forgotten to be held. */
  readonly waitAfterRestart?: boolean;
  /** For rediss: the server's CA, or a certificate of one's own. */
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

const DEFAULTS = { port: 6379, prefix: 'hustings:', timeoutMs: 2_000, waitReplicas: 0 };
const IN_URL = ['prefix', 'timeoutMs', 'waitReplicas'];

export function redisSettings(text: string, options: RedisStoreOptions = {}): RedisSettings {
  const expected = 'expected a URL as redis://user:password@host:6379/0';
  const { label } = parseAddress(text, 'server');
  if (!['redis', 'rediss'].includes(schemeOf(text) ?? ''))
    throw new InputError(`${expected}, got ${label}: write redis: or rediss:`);
  const url = new URL(text);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (host === '') throw new InputError(`${expected}, got one without a host: name the server`);
  const database = url.pathname.replace(/^\//, '');
  if (!/^\d{0,6}$/.test(database)) {
    throw new InputError(`${expected}, got a path that is no number of a database: write /0, or nothing`);
  }
  for (const word of url.searchParams.keys()) {
    if (IN_URL.includes(word)) continue;
    throw new InputError(
      `${expected}, got an unknown word after "?": only ${IN_URL.join(', ')} mean something`,
    );
  }
  const query = (word: string): string | undefined => url.searchParams.get(word) ?? undefined;
  const prefix = options.prefix ?? query('prefix') ?? DEFAULTS.prefix;
  if (prefix === '' || /[{}]/.test(prefix)) {
    throw new InputError(`expected a prefix without braces, got ${JSON.stringify(prefix)}: as in hustings:`);
  }
  return {
    url: text,
    label,
    host,
    port: url.port === '' ? DEFAULTS.port : Number(url.port),
    username: decode(url.username, expected),
    password: decode(url.password, expected),
    db: Number(database),
    tls: url.protocol === 'rediss:' ? (options.tls ?? {}) : undefined,
    prefix,
    timeoutMs: whole('timeoutMs', options.timeoutMs ?? query('timeoutMs') ?? DEFAULTS.timeoutMs, 1),
    waitReplicas: whole(
      'waitReplicas',
      options.waitReplicas ?? query('waitReplicas') ?? DEFAULTS.waitReplicas,
      0,
    ),
    waitAfterRestart: options.waitAfterRestart ?? true,
    keepTerms: options.keepTerms ?? DEFAULT_KEEP_TERMS,
  };
}

function whole(word: string, value: string | number, least: number): number {
  const number = typeof value === 'string' && !/^\d+$/.test(value) ? Number.NaN : Number(value);
  if (Number.isSafeInteger(number) && number >= least) return number;
  throw new InputError(`expected ${word} to be a whole number of at least ${least}, got ${value}: give one`);
}

function decode(text: string, expected: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new InputError(`${expected}, got a user or password with a bare %: write it as %25`);
  }
}
