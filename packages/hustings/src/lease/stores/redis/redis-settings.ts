/**
 * The settings of a Redis store, from its URL and its options: `redis://user:password@host:port/database?prefix=jobs:`,
 * `redis+sentinel://host,host/group/database`, `redis+cluster://host,host`, or `rediss` for TLS. An option overrides the same
 * setting in the URL. No message quotes a part that may contain a password.
 */
import type { ConnectionOptions } from 'node:tls';
import { InputError } from '@hustings/base';
import { type Credentials, DEFAULT_KEEP_TERMS, type StoreOptions } from '../../lease-store.ts';
import { parseAddress, schemeOf, urlOfHost } from '../../store-url.ts';
import { checkQuery, decodedPart, flagSetting, wholeSetting } from '../url-setting.ts';
import type { RedisAddress, RedisPlace } from './redis-connection.ts';

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
  /** Returns the login of each new connection, for passwords and tokens that change. Overrides the login of the URL or client. */
  readonly credentials?: () => Credentials | Promise<Credentials>;
}

/** The settings of every Redis store. */
export interface RedisStoreSettings {
  /** With its secrets, for `scrub`. */
  readonly url: string;
  readonly label: string;
  readonly place: RedisPlace;
  readonly prefix: string;
  readonly timeoutMs: number;
  readonly waitReplicas: number;
  readonly waitAfterRestart: boolean;
  readonly keepTerms: number;
  readonly credentials: RedisStoreOptions['credentials'];
}

/** The settings of a store that is named by a URL. */
export interface RedisSettings extends RedisStoreSettings {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly db: number;
  readonly tls: ConnectionOptions | undefined;
  readonly sentinelUsername: string;
  readonly sentinelPassword: string;
}

/** The address and the login, as the client library takes them. */
export function clientOptions({ host, port, db, username, password, tls }: RedisSettings) {
  return { host, port, db, ...loginOf(username, password), ...tlsOf(tls), disableClientInfo: true };
}

/** The login and TLS of Sentinels. */
export function sentinelOptions({ sentinelUsername, sentinelPassword, tls }: RedisSettings) {
  const none = { username: undefined, password: undefined };
  return { ...none, ...loginOf(sentinelUsername, sentinelPassword), ...tlsOf(tls) };
}

const loginOf = (username: string, password: string) => ({
  ...(username === '' ? {} : { username }),
  ...(password === '' ? {} : { password }),
});

const tlsOf = (tls: ConnectionOptions | undefined) => (tls === undefined ? {} : { tls });

const DEFAULTS = { port: 6379, sentinelPort: 26379, prefix: 'hustings:', timeoutMs: 2_000, waitReplicas: 0 };
const IN_URL = ['prefix', 'timeoutMs', 'waitReplicas', 'waitAfterRestart'];
const IN_SENTINEL_URL = [...IN_URL, 'sentinelUsername', 'sentinelPassword'];

const FORMS: Readonly<Record<RedisPlace['type'], string>> = {
  server: 'redis://user:password@host:6379/0',
  sentinel: 'redis+sentinel://user:password@host1,host2,host3/group/0',
  cluster: 'redis+cluster://user:password@host1,host2,host3',
};

export function redisSettings(text: string, options: RedisStoreOptions = {}): RedisSettings {
  const scheme = schemeOf(text) ?? '';
  const [known, kind] = /^rediss?(?:\+(sentinel|cluster))?$/.exec(scheme) ?? [];
  const { label, hosts } = parseAddress(text, kind === undefined ? 'server' : 'servers');
  if (known === undefined)
    throw new InputError(`the URL of a Redis store must begin with redis: or rediss:, not ${label}`);
  const type = (kind ?? 'server') as RedisPlace['type'];
  const form = `write ${FORMS[type]}`;
  const url = urlOfHost(text);
  const addresses = hosts.map((host) =>
    addressOf(host, type === 'sentinel' ? DEFAULTS.sentinelPort : DEFAULTS.port),
  );
  if (addresses.some(({ host }) => host === ''))
    throw new InputError(`the URL of a Redis store must have a host; ${form}`);
  const path = url.pathname.replace(/^\//, '');
  const [group, database] = type === 'sentinel' ? sentinelPath(path, form) : ['', path];
  if (!(type === 'cluster' ? /^0?$/ : /^\d{0,6}$/).test(database)) {
    const rule =
      type === 'cluster' ? 'be empty: a Cluster has one database' : 'end in the number of a database';
    throw new InputError(`the path of a Redis URL must ${rule}; ${form}`);
  }
  const words = type === 'sentinel' ? IN_SENTINEL_URL : IN_URL;
  checkQuery(url.searchParams, 'a Redis', words);
  const query = (word: string): string | undefined => url.searchParams.get(word) ?? undefined;
  const place: RedisPlace =
    type === 'sentinel'
      ? { type, sentinels: addresses, group }
      : type === 'cluster'
        ? { type, nodes: addresses }
        : { type };
  return {
    ...storeSettings({ url: text, label, place }, options, query),
    ...addresses[0],
    username: decodedPart(url.username),
    password: decodedPart(url.password),
    db: Number(database),
    tls: scheme.startsWith('rediss') ? (options.tls ?? {}) : undefined,
    sentinelUsername: query('sentinelUsername') ?? '',
    sentinelPassword: query('sentinelPassword') ?? '',
  };
}

/** `query` gives the settings that a URL has. */
export function storeSettings(
  source: Pick<RedisStoreSettings, 'url' | 'label' | 'place'>,
  options: RedisStoreOptions,
  query: (word: string) => string | undefined = () => undefined,
): RedisStoreSettings {
  const prefix = options.prefix ?? query('prefix') ?? DEFAULTS.prefix;
  if (prefix === '' || /[{}]/.test(prefix)) {
    throw new InputError(
      `prefix must be a text without braces, not ${JSON.stringify(prefix)}; use for example jobs:`,
    );
  }
  return {
    ...source,
    // The hash tag of all keys: one slot of a Cluster has the whole store.
    prefix: source.place.type === 'cluster' ? `{${prefix}}` : prefix,
    timeoutMs: wholeSetting('timeoutMs', options.timeoutMs ?? query('timeoutMs') ?? DEFAULTS.timeoutMs, 1),
    waitReplicas: wholeSetting(
      'waitReplicas',
      options.waitReplicas ?? query('waitReplicas') ?? DEFAULTS.waitReplicas,
      0,
    ),
    waitAfterRestart:
      options.waitAfterRestart ?? flagSetting('waitAfterRestart', query('waitAfterRestart') ?? 'true'),
    keepTerms: options.keepTerms ?? DEFAULT_KEEP_TERMS,
    credentials: options.credentials,
  };
}

/** `host`, `host:port` or `[::1]:port`. */
function addressOf(text: string, defaultPort: number): RedisAddress {
  const { hostname, port } = new URL(`redis://${text}`);
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? defaultPort : Number(port) };
}

function sentinelPath(path: string, form: string): [group: string, database: string] {
  const [group, database = '', ...rest] = path.split('/');
  if (group !== '' && rest.length === 0) return [decodedPart(group), database];
  throw new InputError(`the path of a Sentinel URL must begin with the name of the primary; ${form}`);
}
